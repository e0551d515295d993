/**
 * Commands that start another one for each of their inputs: `xargs COMMAND` and `find … -exec COMMAND {} ;`.
 *
 * Invariant: neither program starts a command itself. The names are listed, and the command is judged and started for
 * them like any other, so that a name can neither become an option nor lead outside.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { parseOptions } from '../command/option-notation.ts';
import { readCall } from '../command/option-rule.ts';
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
      readonly separator: 'blank' | 'line' | 'nul' | string;
      readonly runsEmpty: boolean;
    }
  | { readonly from: 'find'; readonly lister: readonly ShellWord[] }
);

/** The fan-out of a command; undefined if it has none. */
export function readFanOut(argv: readonly ShellWord[]): FanOut | ShellBoundary | undefined {
  const [name, ...args] = argv;
  if (name?.text === 'xargs') return readXargs(args);
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
  '-0rtx -n=# -L=# -P=# -I= -d= -s=# --null --no-run-if-empty --max-args=# --max-lines=# --max-procs=# --replace= --delimiter=',
);

function readXargs(args: readonly ShellWord[]): FanOut | ShellBoundary {
  const start = commandStart(args);
  const call = readCall(args.slice(0, start), { options: xargsOptions });
  if (isBoundary(call)) return call;
  const template = args.slice(start);
  const [name] = template;
  if (name === undefined) return boundary('operand', args[0]?.at ?? 0, 'xargs names no command');
  if (!isPlainName(name) || /^(xargs|find)$/.test(name.text)) {
    return boundary('command-name', name.at, 'the command of xargs must be named plainly');
  }
  const optionValue = (...names: readonly string[]): string | undefined =>
    call.options.findLast((option) => names.includes(option.name))?.value;
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
  return { from: 'input', template, mark, perCall, separator, runsEmpty: !has('r', 'no-run-if-empty') };
}

function isPlainName({ bare, opaque, pattern }: ShellWord): boolean {
  return bare && !opaque && !pattern;
}

/** The first word that is neither an option of xargs nor the value of one. */
function commandStart(args: readonly ShellWord[]): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? '';
    if (!text.startsWith('-')) return index;
    if (/^-([nLPIds]|-(max-args|max-lines|max-procs|replace|delimiter))$/.test(text)) index += 1;
    // `-0n1` and similar: letters without a value, then one whose value is the next word.
    else if (/^-[0rtx]+[nLPIds]$/.test(text)) index += 1;
  }
  return args.length;
}

function delimiterOf(written: string): string | undefined {
  if (written === '\\n' || written === '\n') return 'line';
  if (written === '\\0') return 'nul';
  return written.length === 1 ? written : undefined;
}

/** `-exec` as the last action: its names are those that `-print0` in its place would print. */
function readFindExec(argv: readonly ShellWord[]): FanOut | ShellBoundary | undefined {
  const at = argv.findIndex(({ text }) => text === '-exec');
  const word = argv[at];
  if (word === undefined) return undefined;
  const last = argv.at(-1);
  const template = argv.slice(at + 1, -1);
  const [name] = template;
  const many = last?.text === '+' && template.at(-1)?.text === '{}';
  if (!name || (!many && last?.text !== ';') || template.some(({ text }) => /^(-exec|-ok|;)$/.test(text))) {
    return boundary('option', word.at, 'of find -exec one command at the end is read');
  }
  if (!isPlainName(name) || /^(xargs|find|\{\})$/.test(name.text)) {
    return boundary('command-name', name.at, 'the command of find -exec must be named plainly');
  }
  const lister = [...argv.slice(0, at), { ...word, text: '-print0' }];
  return { from: 'find', template, mark: '{}', perCall: many ? undefined : 1, lister };
}
