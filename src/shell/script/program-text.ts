/**
 * Whether the program of a text filter only cuts its lines, or writes text of its own into them.
 *
 * Invariant: a program that could put together a path outside the workspace from its own text is not a cutting one, as
 * far as its text shows; the resulting names are checked again before they are used.
 */

/** Text that names a directory of the system or a parent, or spells characters by their codes. */
export function hasMadeUpText(text: string): boolean {
  return systemPath.test(text) || parentPath.test(text) || coded.test(text);
}

const systemPath =
  /(?:^|[^\w.*?\])}])\\?\/+(?:etc|root|home|proc|dev|sys|var|boot|mnt|media|run|srv|Users|private|Volumes)(?![\w-])/;

const parentPath = /(?:^|[^.\w])\.\.(?:$|[\\/])/;

/** Escapes of single characters, `%c` of printf, and the codes of git's formats other than control characters. */
const coded = /\\x|\\o\d|\\d\d\d|\\[0-7]{3}|\\u|%c|%x(?!0[0-9a-fA-F])/;

/** `args` are the words after the name; undefined stands for one with expansions. */
export function isCuttingProgram(name: string, args: readonly (string | undefined)[]): boolean {
  switch (name) {
    case 'sed':
      return args.every((arg) => arg !== undefined && !insertsPath(arg));
    case 'awk':
    case 'gawk':
    case 'mawk':
      return args.every((arg) => arg !== undefined && stringsOf(arg).every(isSeparator));
    case 'tr':
      // Translated letters spell other words.
      return args.every(
        (arg) => arg !== undefined && /^(-[a-z]+|(\\[ntr0]|[^\w\\])*|\[:[a-z]+:\])$/.test(arg),
      );
    case 'jq':
      return args.every((arg) => arg !== undefined && isCuttingFilter(arg));
    default:
      return true;
  }
}

/** A replacement, or an added line, that starts with a slash. */
function insertsPath(script: string): boolean {
  return /s([^\w\s\\])(?:\\.|(?!\1).)*\1\\?\//.test(script) || /(?:^|[;}\d$/\s])[aic][\s\\]*\//.test(script);
}

function stringsOf(program: string): readonly string[] {
  return (program.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((string) => string.slice(1, -1));
}

function isSeparator(string: string): boolean {
  return /^(\\[nt]|%[sd]|[^\w/\\%])*$/.test(string);
}

function isCuttingFilter(filter: string): boolean {
  return stringsOf(filter).every((string) => !/^\\?\//.test(string)) && !/implode|base64d|@text/.test(filter);
}
