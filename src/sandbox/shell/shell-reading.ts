/**
 * Reads a shell text and says whether all it does is read.
 *
 * Invariant: `readonly` is answered only when every character was accepted by the grammar and every word by
 * the rule of its command; whatever is not known is a boundary. No shell is ever asked, and none runs the result.
 */
import { boundary, isBoundary, type ShellBoundary } from './boundary.ts';
import type { AllowedCommand } from './command/command-rule.ts';
import { commandTable } from './command/command-table.ts';
import { gatePath } from './command/path-gate.ts';
import { gateCharacters } from './syntax/character-gate.ts';
import type { ShellCommand, ShellList, ShellStep, ShellWord } from './syntax/shell-list.ts';
import { parseShellList } from './syntax/shell-parser.ts';

export type ShellReading = ReadonlyReading | ShellBoundary;

export interface ReadonlyReading {
  readonly kind: 'readonly';
  readonly steps: ShellList;
}

/** The rule that stopped a text, or its commands when none did. */
export function readShellCommand(text: string): ShellReading {
  const gated = gateCharacters(text);
  if (gated) return gated;
  const steps = parseShellList(text);
  if (isBoundary(steps)) return steps;
  const bases = startingDirectories(steps);
  if (isBoundary(bases)) return bases;
  for (const [index, step] of steps.entries()) {
    if (index === 0 && changedDirectory(step)) continue;
    for (const command of step.pipeline) {
      const verdict = judgeCommand(command, bases);
      if (isBoundary(verdict)) return verdict;
    }
  }
  return { kind: 'readonly', steps };
}

/** Whether one command only reads; its relative paths start in one of `bases`. */
export function judgeCommand(
  command: ShellCommand,
  bases: readonly string[],
): AllowedCommand | ShellBoundary {
  const [name, ...args] = command.argv;
  if (name === undefined) return boundary('empty', command.at, 'there is no command');
  const rule = commandTable.get(name.text);
  if (rule === undefined)
    return boundary('unknown-command', name.at, `${name.text} is not known to only read`);
  const verdict = rule(args);
  if (isBoundary(verdict)) return verdict;
  const { input } = command;
  const reads =
    input?.kind === 'file' ? [...verdict.reads, { path: input.path.text, at: input.path.at }] : verdict.reads;
  for (const read of reads) {
    const gated = gatePath(read, bases);
    if (gated) return gated;
  }
  return { kind: 'allowed', reads };
}

/** The directory a step changes to, when that is all it does. */
export function changedDirectory({ pipeline }: ShellStep): ShellWord | undefined {
  const [command, ...more] = pipeline;
  const [name, target, ...rest] = command?.argv ?? [];
  if (name?.text !== 'cd' || !name.bare || more.length > 0 || rest.length > 0) return undefined;
  return target && /^[^-]/.test(target.text) && !target.pattern && !command?.input ? target : undefined;
}

/** Where relative paths may start. A change of directory is read as the first step only. */
function startingDirectories(steps: ShellList): readonly string[] | ShellBoundary {
  for (const [index, { pipeline }] of steps.entries()) {
    const change = pipeline.find(({ argv }) => argv[0]?.text === 'cd');
    const target = index === 0 && steps[0] ? changedDirectory(steps[0]) : undefined;
    if (change && !target) {
      return boundary(
        'directory-change',
        change.at,
        'cd is read as the first command, with one plain directory',
      );
    }
  }
  const target = steps[0] && changedDirectory(steps[0]);
  // Unless the rest hangs on its success, it may also run where it was.
  const stays = target === undefined || steps.slice(1).some(({ when }) => when !== 'success');
  return [...(target ? [target.text] : []), ...(stays ? [''] : [])];
}
