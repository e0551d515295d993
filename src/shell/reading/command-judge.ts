/**
 * Judges one command by the rule of its name.
 *
 * Invariant: a command that starts another one (xargs, find -exec, timeout) is judged by the one it starts.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { type AllowedCommand, allowed, type ReadFile } from '../command/command-rule.ts';
import { commandTable } from '../command/command-table.ts';
import { gatePath, type PathReach } from '../command/path-gate.ts';
import type { ShellCommand, ShellWord } from '../syntax/shell-list.ts';
import { commandFor, type FanOut, fannedCommand, listedNames, readFanOut } from './fan-out.ts';
import type { NameSource } from './name-source.ts';
import { unwrapped } from './wrapper.ts';

interface CommandPlace extends Omit<PathReach, 'kind'> {
  /** The content of the input: names of existing entries, or arbitrary text. */
  readonly source: NameSource | undefined;
  /** The input, if the text of the script shows it. */
  readonly inputText?: string | undefined;
}

/** Whether one command only reads; its words are literal, or marked as unknown. */
export function judgeCommand(command: ShellCommand, place: CommandPlace): AllowedCommand | ShellBoundary {
  const argv = unwrapped(withProgramText(command).argv);
  const [name, ...args] = argv;
  if (name === undefined) return boundary('empty', command.at, 'there is no command');
  if (name.opaque || name.pattern)
    return boundary('command-name', name.at, 'a command must be named plainly');
  const fanOut = readFanOut(argv);
  if (isBoundary(fanOut)) return fanOut;
  if (fanOut) return judgeFanOut(fanOut, { ...command, argv }, place);
  const provided = args.find((word) => word.provided);
  if (provided && !(readsProvided.has(name.text) || (name.text === 'wc' && args.length === 2)))
    return boundary('operand', provided.at, `${name.text} is not known to read the output of <(…)`);
  const rule = commandTable.get(name.text);
  if (rule === undefined)
    return boundary('unknown-command', name.at, `${name.text} is not known to only read`);
  const verdict = rule(args);
  if (isBoundary(verdict)) return verdict;
  const reads = [...verdict.reads, ...inputFile(command)];
  return (
    refuseAll(reads, { ...place, kind: 'file' }) ??
    refuseAll(verdict.entries, { ...place, kind: 'entry' }) ?? { ...verdict, reads }
  );
}

/** Commands that open a file and read it to its end, whatever it is. (Of several files, wc aligns pipes otherwise.) */
const readsProvided: ReadonlySet<string> = new Set(
  `cat tac head tail nl sort uniq cut diff cmp comm join paste column fold fmt expand rev od hexdump md5sum sha1sum
  sha256sum sha512sum base64 grep egrep fgrep sed awk gawk mawk jq sdiff diff3 iconv tsort shuf`.split(/\s+/),
);

/** Judges the command that is started for each name, and for `find` the one that lists the names. */
function judgeFanOut(
  fanOut: FanOut,
  command: ShellCommand,
  place: CommandPlace,
): AllowedCommand | ShellBoundary {
  const { at } = command.argv[0] ?? command;
  const provided = command.argv.find((word) => word.provided);
  if (provided) return boundary('operand', provided.at, 'the output of <(…) is for one command only');
  const refused = fanOut.from === 'input' && fanOut.file ? refuseList(fanOut.file, place) : undefined;
  if (refused) return refused;
  const inner = { bases: place.bases, root: place.root, source: undefined };
  for (const argv of fannedCommands(fanOut, place)) {
    const started = isBoundary(argv) ? argv : judgeCommand({ ...command, argv, input: undefined }, inner);
    if (isBoundary(started)) return started;
  }
  if (fanOut.from === 'find') return judgeCommand({ ...command, argv: fanOut.lister }, inner);
  return fanOut.file || place.source ? allowed() : boundary('operand', at, 'xargs has nothing to read');
}

/** The commands that a fan-out starts, with the names that the text shows, or with one that stands for any. */
function fannedCommands(
  fanOut: FanOut,
  { source, inputText }: CommandPlace,
): readonly (readonly ShellWord[] | ShellBoundary)[] {
  const isListed = fanOut.from === 'find' || fanOut.file !== undefined;
  const names = isListed || inputText === undefined ? undefined : listedNames(inputText, fanOut.separator);
  if (names === undefined) return [fannedCommand(fanOut, isListed ? 'name' : (source ?? 'text'))];
  const option = names.find((name) => name.startsWith('-'));
  const at = fanOut.template[0]?.at ?? 0;
  if (option !== undefined) return [boundary('option', at, `a name becomes the option ${option}`)];
  return fanOut.mark === undefined
    ? [commandFor(fanOut, names)]
    : names.map((name) => commandFor(fanOut, [name]));
}

/** The list of `xargs -a`. A pipe before it would be the input of the commands. */
function refuseList(file: ShellWord, place: CommandPlace): ShellBoundary | undefined {
  if (place.source) return boundary('operand', file.at, 'xargs has a list and a pipe');
  if (file.opaque || file.pattern)
    return boundary('operand', file.at, 'the list of xargs must be written out');
  return gatePath({ path: file.text, at: file.at }, { bases: place.bases, root: place.root, kind: 'file' });
}

/** The file on the standard input, if its name is literal. */
function inputFile({ input }: ShellCommand): readonly ReadFile[] {
  if (input?.kind !== 'file' || input.path.parts) return [];
  return [{ path: input.path.text, at: input.path.at }];
}

function refuseAll(files: readonly ReadFile[], reach: PathReach): ShellBoundary | undefined {
  for (const file of files) {
    const refused = gatePath(file, reach);
    if (refused) return refused;
  }
  return undefined;
}

export function refuseRead(file: ReadFile, reach: PathReach): ShellBoundary | undefined {
  return gatePath(file, reach);
}

/**
 * `python3 - <<'EOF'` and `node <<'EOF'`: the program text is the input, and is checked like that of `-c` and `-e`.
 */
export function withProgramText(command: ShellCommand): ShellCommand {
  const [name, dash, ...more] = command.argv;
  const flag = name?.text === 'node' ? '-e' : /^python3?$/.test(name?.text ?? '') ? '-c' : undefined;
  const { input } = command;
  if (!name || !flag || input?.kind !== 'text' || more.length > 0 || (dash && dash.text !== '-'))
    return command;
  const word = (text: string): ShellWord => ({ ...name, text, bare: false });
  return { ...command, argv: [name, word(flag), word(input.text)], input: undefined };
}

/** The directory a command changes to, if that is all it does. */
export function changedDirectory({ argv, input, assignments }: ShellCommand): ShellWord | undefined {
  const [name, target, ...rest] = argv;
  if (name?.text !== 'cd' || !name.bare || rest.length > 0 || input || assignments.length > 0)
    return undefined;
  return target && /^[^-]/.test(target.text) && !target.pattern ? target : undefined;
}
