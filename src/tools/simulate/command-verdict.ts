/**
 * The verdict on a session that follows from the commands run on it.
 *
 * Invariant: `clean` requires every command to pass; one that was not run, was terminated, or ran no test proves
 * nothing.
 */

import type { Verdict } from '../../evaluation/evaluation.ts';
import type { CommandOutcome } from '../../sandbox/command-outcome.ts';

export interface JudgedCommand {
  readonly command: string;
  readonly outcome: CommandOutcome;
  /** Absent if unknown. */
  readonly testsRun?: number;
}

export function verdictWithCommands(
  verdict: Verdict['kind'],
  commands: readonly JudgedCommand[],
): { readonly verdict: Verdict['kind']; readonly doubts: readonly string[] } {
  const doubts = commands.flatMap(doubtOf);
  const hasFailed = commands.some(({ outcome }) => outcome.kind === 'finished' && (outcome.code ?? 0) !== 0);
  if (verdict === 'broken' || hasFailed) return { verdict: 'broken', doubts };
  return { verdict: doubts.length > 0 ? 'unknown' : verdict, doubts };
}

function doubtOf({ command, outcome, testsRun }: JudgedCommand): string[] {
  if (outcome.kind === 'boundary') return [`"${command}" was not run: ${outcome.why}`];
  if (outcome.timedOut) return [`"${command}" timed out`];
  return outcome.code === 0 && testsRun === 0 ? [`"${command}" ran no test`] : [];
}
