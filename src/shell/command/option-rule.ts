/**
 * The rule of a command that parses its arguments like getopt.
 *
 * Invariant: options are matched exactly, and a pattern is allowed only where any number of file names is, so that no
 * expansion can become an option or another kind of operand.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { ShellWord } from '../syntax/shell-list.ts';
import { allowed, type CommandRule, type CommandVerdict, type ReadFile } from './command-rule.ts';
import { type OptionSet, parseOptions, type Taking } from './option-notation.ts';

export interface OptionRule {
  /** See option-notation.ts. */
  readonly options?: string;
  readonly operands?: OperandRule;
  /** Options after an operand are refused: not every implementation accepts them there. */
  readonly order?: 'options-first';
  /** A final check of the whole call, for invalid combinations. */
  readonly also?: (call: ReadCall) => ShellBoundary | undefined;
}

export interface OperandRule {
  /** The kinds of the first operands: `text` is literal, `file` is read, for `entry` only attributes are shown. */
  readonly leading?: readonly ('text' | 'file' | 'entry')[];
  /** Options that replace the leading operands. */
  readonly unless?: readonly string[];
  /** The kind of all further operands; absent if none are allowed. */
  readonly rest?: 'text' | 'file' | 'entry';
  /** Set if no option of the command can write, run or wait, so that a pattern may start with a wildcard. */
  readonly anyName?: true;
}

/** A parsed call. Options are named as written, without dashes. */
export interface ReadCall {
  readonly options: readonly ReadOption[];
  readonly operands: readonly ShellWord[];
  /** The index of the first operand behind `--`, from which on no word can be an option. */
  readonly separated: number;
}

export interface ReadOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly word: ShellWord;
}

export function optionRule(rule: OptionRule): CommandRule {
  let options: OptionSet | undefined;
  return (args) => {
    options ??= parseOptions(rule.options ?? '');
    const call = readCall(args, { options, order: rule.order });
    if (isBoundary(call)) return call;
    return rule.also?.(call) ?? checkOperands(call, rule.operands ?? {}, filesOf(call, options));
  };
}

/** Parses a call by an option set, or refuses a word that is not in it. */
export function readCall(
  args: readonly ShellWord[],
  { options, order }: { readonly options: OptionSet; readonly order?: 'options-first' | undefined },
): ReadCall | ShellBoundary {
  const read: ReadOption[] = [];
  const operands: ShellWord[] = [];
  const words = args.values();
  for (const word of words) {
    if (word.text === '--')
      return { options: read, operands: [...operands, ...words], separated: operands.length };
    if (isOperand(word)) {
      operands.push(word);
      continue;
    }
    if (order && operands.length > 0)
      return boundary('option', word.at, 'an option stands behind an operand');
    const found = readOption(word, options);
    if (isBoundary(found)) return found;
    read.push(...found.read);
    if (found.open === undefined) continue;
    const value = readValue(words.next().value, { name: found.open, of: word, options });
    if (isBoundary(value)) return value;
    read.push(value);
  }
  return { options: read, operands, separated: operands.length };
}

/** A single dash means standard input. */
function isOperand({ text }: ShellWord): boolean {
  return !text.startsWith('-') || text === '-';
}

/** The value of an option in the next word. */
function readValue(
  value: ShellWord | undefined,
  { name, of, options }: { readonly name: string; readonly of: ShellWord; readonly options: OptionSet },
): ReadOption | ShellBoundary {
  if (value === undefined) return boundary('option', of.at, `${of.text} lacks its value`);
  if (value.pattern) return boundary('glob', value.at, `the value of ${of.text} is a pattern; quote it`);
  return (
    hiddenName(value, takingOf(options, name) === 'file' ? 'file' : 'text') ??
    checkValue(value.text, options, name, value.at) ?? { name, value: value.text, word: value }
  );
}

interface FoundOption {
  readonly read: readonly ReadOption[];
  /** The option whose value is the next word. */
  readonly open?: string;
}

function readOption(word: ShellWord, options: OptionSet): FoundOption | ShellBoundary {
  if (word.pattern && !isPatternValue(word)) {
    return boundary('glob', word.at, 'a pattern in an option could become another option');
  }
  if (word.text.startsWith('--')) return readLong(word, options);
  if (options.takesNumber && /^-\d+$/.test(word.text)) {
    return { read: [{ name: '#', value: word.text.slice(1), word }] };
  }
  return readCluster(word, options);
}

/** `--include=*.ts`: the name is literal, so an expansion could only change its value. */
function isPatternValue(word: ShellWord): boolean {
  const first = word.pattern?.[0];
  return first !== undefined && 'literal' in first && /^--[a-z-]+=/.test(first.literal);
}

function readLong(word: ShellWord, options: OptionSet): FoundOption | ShellBoundary {
  const equals = word.text.indexOf('=');
  const name = equals < 0 ? word.text.slice(2) : word.text.slice(2, equals);
  const value = equals < 0 ? undefined : word.text.slice(equals + 1);
  const taking = options.long.get(name);
  if (taking === undefined) return notAllowed(word);
  if (value === undefined) {
    return taking === 'nothing' || taking === 'attached'
      ? { read: [{ name, value, word }] }
      : { read: [], open: name };
  }
  if (taking === 'nothing') return notAllowed(word);
  return checkValue(value, options, name, word.at) ?? { read: [{ name, value, word }] };
}

function readCluster(word: ShellWord, options: OptionSet): FoundOption | ShellBoundary {
  const read: ReadOption[] = [];
  for (let index = 1; index < word.text.length; index++) {
    const name = word.text[index] ?? '';
    const taking = options.short.get(name);
    if (taking === undefined) return notAllowed(word);
    if (taking === 'nothing') {
      read.push({ name, value: undefined, word });
      continue;
    }
    const value = word.text.slice(index + 1);
    if (value === '' && taking !== 'attached') return { read, open: name };
    const refused = checkValue(value, options, name, word.at);
    return refused ?? { read: [...read, { name, value: value || undefined, word }] };
  }
  return { read };
}

function checkValue(value: string, options: OptionSet, name: string, at: number): ShellBoundary | undefined {
  if (takingOf(options, name) !== 'number' || /^[+-]?\d+(\.\d+)?[A-Za-z]{0,3}$/.test(value)) return undefined;
  return boundary('option', at, `${JSON.stringify(value)} is no number`);
}

function takingOf(options: OptionSet, name: string): Taking | undefined {
  return name.length === 1 ? options.short.get(name) : options.long.get(name);
}

function notAllowed(word: ShellWord): ShellBoundary {
  return boundary('option', word.at, `the option ${word.text} is not known to only read`);
}

function filesOf(call: ReadCall, options: OptionSet): ReadFile[] {
  return call.options.flatMap(({ name, value, word }) =>
    value !== undefined && takingOf(options, name) === 'file' && !word.provided
      ? [{ path: value, at: word.at }]
      : [],
  );
}

function checkOperands(call: ReadCall, rule: OperandRule, fromOptions: readonly ReadFile[]): CommandVerdict {
  const leading = leadingOperands(call, rule);
  const files: Record<'file' | 'entry' | 'text', ReadFile[]> = {
    file: [...fromOptions],
    entry: [],
    text: [],
  };
  for (const [index, word] of call.operands.entries()) {
    const kind = leading[index] ?? rule.rest;
    if (kind === undefined)
      return boundary('operand', word.at, 'there are more operands than can only be read');
    const further = rule.anyName || index >= call.separated ? 'harmless' : 'any';
    const refused = refuseOperand(word, kind, index < leading.length ? 'single' : further);
    if (refused) return refused;
    if (!word.provided || kind !== 'file') files[kind].push({ path: word.text, at: word.at });
  }
  return allowed(files.file, files.entry);
}

function refuseOperand(
  word: ShellWord,
  kind: 'text' | 'file' | 'entry',
  place: 'single' | 'any' | 'harmless',
): ShellBoundary | undefined {
  return (word.pattern && checkPattern(word, place)) ?? hiddenName(word, kind);
}

/** The kinds of the first operands, unless an option replaces them. */
function leadingOperands(
  call: ReadCall,
  { leading, unless }: OperandRule,
): NonNullable<OperandRule['leading']> {
  const stoodIn = call.options.some(({ name }) => unless?.includes(name));
  return stoodIn ? [] : (leading ?? []);
}

/** Computed text may name any file; a name from a list is checked before the command runs. */
export function hiddenName(word: ShellWord, kind: 'text' | 'file' | 'entry'): ShellBoundary | undefined {
  if (kind === 'text' || word.opaque === undefined || word.provided) return undefined;
  if (word.opaque === 'text' && word.text.startsWith('1'))
    return boundary('operand', word.at, 'the name of a file is made up by a command; write it out');
  // Above a directory that only the run knows lies what is outside.
  return /(^|\/)\.\.(\/|$)/.test(word.text)
    ? boundary('outside', word.at, 'a path leads above a directory that is not written out')
    : undefined;
}

/**
 * A pattern may become any number of words, and none of them may be taken for an option: guaranteed by its first
 * character, or by `--` before it, or, if no option of the command is harmful, by a check of the names before it runs.
 */
export function checkPattern(
  word: ShellWord,
  place: 'single' | 'any' | 'harmless',
): ShellBoundary | undefined {
  if (place === 'single') return boundary('glob', word.at, 'a pattern stands for a single word; quote it');
  const first = word.pattern?.[0];
  if (first && !('literal' in first) && place === 'harmless') return undefined;
  if (first && 'literal' in first && first.literal !== '' && !first.literal.startsWith('-')) return undefined;
  return boundary('glob', word.at, `a pattern must start with a plain name or ./, as in ./${word.text}`);
}
