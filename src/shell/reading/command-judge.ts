/**
 * Judges one command by the rule of its name.
 *
 * Invariant: a command that starts another one (xargs, find -exec, timeout) is judged by the one it starts.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { AllowedCommand, ReadFile } from '../command/command-rule.ts';
import { commandTable } from '../command/command-table.ts';
import { gatePath, type PathReach } from '../command/path-gate.ts';
import type { ShellCommand, ShellWord } from '../syntax/shell-list.ts';
import { type FanOut, fannedCommand, readFanOut } from './fan-out.ts';

interface CommandPlace extends Omit<PathReach, 'kind'> {
  /** The content of the input: names of existing entries, or arbitrary text. */
  readonly source: 'name' | 'text' | undefined;
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

/** Judges the command that is started for each name, and for `find` the one that lists the names. */
function judgeFanOut(
  fanOut: FanOut,
  command: ShellCommand,
  place: CommandPlace,
): AllowedCommand | ShellBoundary {
  const items = fanOut.from === 'find' ? 'name' : place.source;
  if (items === undefined)
    return boundary('operand', command.argv[0]?.at ?? command.at, 'xargs has nothing to read');
  const started = judgeCommand({ ...command, argv: fannedCommand(fanOut, items), input: undefined }, place);
  if (isBoundary(started) || fanOut.from !== 'find') return started;
  return judgeCommand({ ...command, argv: fanOut.lister }, place);
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

/** The command after `timeout 5`, `command`, `stdbuf -oL` or `nice`; a run has its own deadline. */
export function unwrapped(argv: readonly ShellWord[]): readonly ShellWord[] {
  const [name, first, second] = argv.map(({ text, opaque, pattern }) => (opaque || pattern ? '' : text));
  if (name === 'timeout' && /^\d+(\.\d+)?[smh]?$/.test(first ?? '') && second)
    return unwrapped(argv.slice(2));
  if (name === 'command' && first && !first.startsWith('-')) return unwrapped(argv.slice(1));
  if (name === 'stdbuf' && /^-[oe][L0]$/.test(first ?? '') && second) return unwrapped(argv.slice(2));
  if (name === 'nice' && first === '-n' && /^\d{1,2}$/.test(second ?? '') && argv.length > 3)
    return unwrapped(argv.slice(3));
  if (name === 'nice' && first && !first.startsWith('-')) return unwrapped(argv.slice(1));
  return argv;
}

/** The directory a command changes to, if that is all it does. */
export function changedDirectory({ argv, input, assignments }: ShellCommand): ShellWord | undefined {
  const [name, target, ...rest] = argv;
  if (name?.text !== 'cd' || !name.bare || rest.length > 0 || input || assignments.length > 0)
    return undefined;
  return target && /^[^-]/.test(target.text) && !target.pattern ? target : undefined;
}
