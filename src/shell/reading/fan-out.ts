/**
 * Commands that start another one for each of their inputs: `xargs COMMAND` and `find … -exec COMMAND {} ;`.
 *
 * Invariant: neither program starts a command itself. The names are listed, and the command is judged and started for
 * them like any other, so that a name can neither become an option nor lead outside.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { parseOptions } from '../command/option-notation.ts';
import { type ReadOption, readCall } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

export type FanOut = {
  /** The command and its own arguments. */
  readonly template: readonly ShellWord[];
  /** The placeholder for a name in the template; absent if names are appended. */
  readonly mark: string | undefined;
  /** The number of names per command; absent if it takes all. */
  readonly perCall: number | undefined;
} & (
  | {
      readonly from: 'input';
      readonly separator: Separator;
      readonly runsEmpty: boolean;
      /** The file with the names, if it is not the input. */
      readonly file: ShellWord | undefined;
      /** Whether `perCall` counts lines, as in `-L`. */
      readonly counts: 'names' | 'lines';
    }
  | {
      readonly from: 'find';
      readonly lister: readonly ShellWord[];
      /** Set if a name for which the command succeeds is printed, and what ends it. */
      readonly prints: '\n' | '\0' | undefined;
    }
);

/** What ends a name in a list: a word or a single character. */
export type Separator = 'blank' | 'line' | 'nul' | string;

/** The names in a list, as xargs reads it; undefined if it contains quotes or backslashes, which xargs interprets. */
export function listedNames(text: string, separator: Separator): readonly string[] | undefined {
  if (separator === 'nul') return text.split('\0').filter((item) => item !== '');
  if (separator === 'line' || separator === 'blank') {
    if (/["'\\]/.test(text)) return undefined;
    if (separator === 'blank') return text.split(/\s+/).filter((item) => item !== '');
    return text
      .split('\n')
      .map((item) => item.replace(/^[ \t]+/, ''))
      .filter((item) => item !== '');
  }
  // A line end is an ordinary character between other separators.
  const items = text.split(separator);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

/** The fan-out of a command; undefined if it has none. */
export function readFanOut(argv: readonly ShellWord[]): FanOut | ShellBoundary | undefined {
  const [name, ...args] = argv;
  if (name?.text === 'xargs') return readXargs(args);
  if (name?.text === 'fd' || name?.text === 'fdfind') return readFdExec(argv);
  return name?.text === 'find' ? readFindExec(argv) : undefined;
}

/** The command to judge before its names are known. */
export function fannedCommand({ template, mark }: FanOut, items: 'name' | 'text'): readonly ShellWord[] {
  const name = (word: ShellWord, text: string): ShellWord => ({
    ...word,
    text,
    bare: false,
    pattern: undefined,
    opaque: items,
  });
  const [first] = template;
  if (first === undefined) return [];
  if (mark === undefined) return [...template, name(first, '1')];
  return template.map((word) =>
    word.text.includes(mark) ? name(word, word.text.replaceAll(mark, '1')) : word,
  );
}

/** The command for some names. */
export function commandFor({ template, mark }: FanOut, names: readonly string[]): readonly ShellWord[] {
  const [first] = template;
  if (first === undefined) return [];
  const wordOf = (word: ShellWord, text: string): ShellWord => ({
    ...word,
    text,
    bare: false,
    pattern: undefined,
  });
  if (mark === undefined) return [...template, ...names.map((text) => wordOf(first, text))];
  return template.flatMap((word) => {
    if (word.text === mark) return names.map((text) => wordOf(word, text));
    return word.text.includes(mark) ? [wordOf(word, word.text.replaceAll(mark, names[0] ?? ''))] : [word];
  });
}

const xargsOptions = parseOptions(
  `-0rtx -n=# -L=# -P=# -I= -d= -s=# -a= --null --no-run-if-empty --max-args=# --max-lines=# --max-procs=# --replace=
  --delimiter= --arg-file= --verbose --exit`,
);

function readXargs(args: readonly ShellWord[]): FanOut | ShellBoundary {
  const start = commandStart(args);
  const call = readCall(args.slice(0, start), { options: xargsOptions });
  if (isBoundary(call)) return call;
  const template = commandOrEcho(args.slice(start), args);
  const [name] = template;
  if (name === undefined) return boundary('operand', args[0]?.at ?? 0, 'xargs names no command');
  if (!isPlainName(name) || /^(xargs|find)$/.test(name.text)) {
    return boundary('command-name', name.at, 'the command of xargs must be named plainly');
  }
  const lastOf = (...names: readonly string[]): ReadOption | undefined =>
    call.options.findLast((option) => names.includes(option.name));
  const optionValue = (...names: readonly string[]): string | undefined => lastOf(...names)?.value;
  const has = (...names: readonly string[]): boolean =>
    call.options.some((option) => names.includes(option.name));
  const mark = optionValue('I', 'replace');
  const delimiter = optionValue('d', 'delimiter');
  const count = optionValue('n', 'max-args', 'L', 'max-lines');
  const undelimited = mark ? 'line' : 'blank';
  const written = delimiter === undefined ? undelimited : delimiterOf(delimiter);
  const separator = has('0', 'null') ? 'nul' : written;
  if (mark === '' || separator === undefined)
    return boundary('option', name.at, 'this form of xargs is not read');
  const counted = count === undefined ? undefined : Number(count);
  const perCall = mark === undefined ? counted : 1;
  const counts = has('L', 'max-lines') && mark === undefined && separator === 'blank' ? 'lines' : 'names';
  const file = fileOf(lastOf('a', 'arg-file'));
  const runsEmpty = !has('r', 'no-run-if-empty');
  return { from: 'input', template, mark, perCall, separator, runsEmpty, file, counts };
}

/** The value of an option as a word. */
function fileOf(option: ReadOption | undefined): ShellWord | undefined {
  return option && { ...option.word, text: option.value ?? '' };
}

/** With options alone, xargs joins or splits its input by `echo`. */
function commandOrEcho(command: readonly ShellWord[], args: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = args;
  if (command.length > 0 || first === undefined) return command;
  return [{ at: first.at, text: 'echo', bare: true, pattern: undefined }];
}

function isPlainName({ bare, opaque, pattern }: ShellWord): boolean {
  return bare && !opaque && !pattern;
}

/** The first word that is neither an option of xargs nor the value of one. */
function commandStart(args: readonly ShellWord[]): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? '';
    if (!text.startsWith('-')) return index;
    if (/^-([nLPIdsa]|-(max-args|max-lines|max-procs|replace|delimiter|arg-file))$/.test(text)) index += 1;
    // `-0n1` and similar: letters without a value, then one whose value is the next word.
    else if (/^-[0rtx]+[nLPIdsa]$/.test(text)) index += 1;
  }
  return args.length;
}

function delimiterOf(written: string): string | undefined {
  // Between given characters, quotes and blanks are text.
  if (written === '\\n') return '\n';
  if (written === '\\t') return '\t';
  if (written === '\\0') return 'nul';
  return written.length === 1 ? written : undefined;
}

/**
 * `-exec` as the last action: its names are those that `-print0` in its place would print. After a command for each
 * name, `-print` may follow, which prints the names for which it succeeds.
 */
function readFindExec(argv: readonly ShellWord[]): FanOut | ShellBoundary | undefined {
  const at = argv.findIndex(({ text }) => text === '-exec');
  const word = argv[at];
  if (word === undefined) return undefined;
  const length = argv.slice(at + 1).findIndex((each, index) => endsExec(each, argv[at + index]));
  const template = argv.slice(at + 1, at + 1 + Math.max(0, length));
  const [name] = template;
  const many = argv[at + 1 + length]?.text === '+';
  const [action, ...more] = argv.slice(at + 2 + length);
  const prints = action === undefined ? undefined : printed[action.text];
  if (!name || length < 0 || more.length > 0 || (action && (many || prints === undefined))) {
    return boundary('option', word.at, 'of find -exec one command at the end is read');
  }
  if (!isPlainName(name) || /^(xargs|find|\{\})$/.test(name.text)) {
    return boundary('command-name', name.at, 'the command of find -exec must be named plainly');
  }
  const lister = [...argv.slice(0, at), { ...word, text: '-print0' }];
  return { from: 'find', template, mark: '{}', perCall: many ? undefined : 1, lister, prints };
}

/** `fd … -x COMMAND` and `-X COMMAND`, to the end of the words. Of its placeholders, only `{}` is read. */
function readFdExec(argv: readonly ShellWord[]): FanOut | ShellBoundary | undefined {
  const at = argv.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
  const word = argv[at];
  if (word === undefined) return undefined;
  const written = argv.slice(at + 1);
  const [name] = written;
  const odd = written.find(({ text }) => /^\\?;$|\{[/.]|^-x$|^-X$/.test(text));
  if (!name || odd) return boundary('option', (odd ?? word).at, 'of fd -x one command at the end is read');
  if (!isPlainName(name) || /^(xargs|find|fd|fdfind|\{\})$/.test(name.text))
    return boundary('command-name', name.at, 'the command of fd -x must be named plainly');
  const isMarked = written.some(({ text }) => text.includes('{}'));
  const lister = [...argv.slice(0, at), { ...word, text: '-0' }];
  const perCall = /^(-x|--exec)$/.test(word.text) ? 1 : undefined;
  return {
    from: 'find',
    template: written,
    mark: isMarked ? '{}' : undefined,
    perCall,
    lister,
    prints: undefined,
  };
}

const printed: Readonly<Record<string, '\n' | '\0'>> = { '-print': '\n', '-print0': '\0' };

function endsExec({ text }: ShellWord, before: ShellWord | undefined): boolean {
  return text === ';' || (text === '+' && before?.text === '{}');
}
