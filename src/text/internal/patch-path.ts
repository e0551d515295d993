/**
 * Paths as patches write them: quoted like C strings where they must be, behind prefixes such as `a/`.
 *
 * Invariant: what `quotePath` writes, `readPath` reads back, whatever the path contains.
 */

/** The path for a header line, quoted when it holds what would end or bend the line. */
export function quotePath(path: string): string {
  if (!/["\\\p{Cc}]/u.test(path)) return path;
  return `"${path.replace(/["\\\p{Cc}]/gu, escaped)}"`;
}

/** A path and where the text after it begins. */
export interface ReadPath {
  readonly path: string;
  readonly end: number;
}

/** The path that begins `text`: a quoted one up to its closing quote, a plain one up to a tab or the end. */
export function readPath(text: string): ReadPath | undefined {
  if (text.startsWith('"')) return readQuoted(text);
  const tab = text.indexOf('\t');
  const end = tab < 0 ? text.length : tab;
  return { path: text.slice(0, end), end };
}

export interface PathPair {
  readonly oldPath: string;
  readonly newPath: string;
}

/** The two names of a `diff --git` line, prefixes included; undefined when it cannot be told where one ends. */
export function readGitNames(rest: string): PathPair | undefined {
  if (rest.startsWith('"')) {
    const first = readQuoted(rest);
    const second = first && rest.charAt(first.end) === ' ' ? readPath(rest.slice(first.end + 1)) : undefined;
    return first && second && { oldPath: first.path, newPath: second.path };
  }
  const quoted = rest.endsWith('"') ? rest.indexOf(' "') : -1;
  if (quoted >= 0) {
    const second = readQuoted(rest.slice(quoted + 1));
    return second && { oldPath: rest.slice(0, quoted), newPath: second.path };
  }
  // Both names are the same behind their prefixes unless other header lines tell them, so the halves show the cut.
  for (let cut = rest.indexOf(' '); cut >= 0; cut = rest.indexOf(' ', cut + 1)) {
    const pair = { oldPath: rest.slice(0, cut), newPath: rest.slice(cut + 1) };
    const { oldPath, newPath } = stripPrefixes(pair);
    if (oldPath === newPath) return pair;
  }
  return undefined;
}

/**
 * The pair without what diff tools put in front. A pair of different one-letter prefixes goes (`a/` and `b/`,
 * or those of git's diff.mnemonicPrefix), and so do directories that are the only difference (`old/x`, `new/x`).
 */
export function stripPrefixes({ oldPath, newPath }: PathPair): PathPair {
  const bare = { oldPath: afterSlash(oldPath), newPath: afterSlash(newPath) };
  if (oldPath === newPath || bare.oldPath === '' || bare.newPath === '') return { oldPath, newPath };
  const isConventional = hasPrefix(oldPath) && hasPrefix(newPath) && oldPath[0] !== newPath[0];
  return isConventional || bare.oldPath === bare.newPath ? bare : { oldPath, newPath };
}

/** A single path without its conventional prefix, when its other side is /dev/null and cannot be compared. */
export function stripPrefix(path: string): string {
  return hasPrefix(path) ? afterSlash(path) : path;
}

function hasPrefix(path: string): boolean {
  return /^[abciow12]\/./s.test(path);
}

/** What follows the first component; empty when there is only one. */
function afterSlash(path: string): string {
  const slash = path.indexOf('/');
  return slash > 0 ? path.slice(slash + 1) : '';
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
]);

function escaped(character: string): string {
  for (const [letter, meant] of LETTERS) if (meant === character) return `\\${letter}`;
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Octal escapes are bytes of UTF-8, so the path is collected as bytes. */
function readQuoted(text: string): ReadPath | undefined {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let at = 1; at < text.length; ) {
    const [piece = '', octal, letter] = /\\([0-3][0-7]{2})|\\(.)|[^\\"]+|"/suy.exec(text.slice(at)) ?? [];
    if (piece === '') return undefined;
    at += piece.length;
    if (piece === '"')
      return { path: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes)), end: at };
    const meant = letter === undefined ? piece : LETTERS.get(letter);
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (meant === undefined) return undefined;
    else bytes.push(...encoder.encode(meant));
  }
  return undefined;
}
