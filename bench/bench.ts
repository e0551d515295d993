/**
 * A claim of speed that can be repeated: what is measured, beside what, and how far apart they may be.
 *
 * Invariant: a goal compares two things measured in the same run, or states a limit; whether it holds is
 * decided in `isHeld` and nowhere else.
 */
import { unreachable } from '../src/base/unreachable.ts';
import type { BenchContext } from './support/bench-context.ts';
import type { Measurement } from './support/measurement.ts';

export interface Bench {
  /** As it is called on the command line. */
  readonly name: string;
  readonly claim: string;
  /** What every line must keep that names no goal of its own. */
  readonly goal: Goal;
  /** Measures line by line; a line is reported as soon as it is there. */
  run(context: BenchContext, signal: AbortSignal): AsyncIterable<Line>;
}

export type Goal =
  /** Ours takes at most `times` as long as what stands beside it, and `plusMs` more. */
  | { readonly kind: 'within'; readonly times: number; readonly plusMs: number }
  /** What stands beside it takes at least `times` as long as ours. */
  | { readonly kind: 'faster'; readonly times: number }
  /** Ours stays under a limit of its own, and under `flatTimes` of what stands beside it where that is given. */
  | { readonly kind: 'below'; readonly limit: number; readonly flatTimes?: number }
  | { readonly kind: 'none' };

export type Line = MeasuredLine | UnmeasuredLine;

export interface MeasuredLine {
  readonly kind: 'measured';
  readonly what: string;
  readonly ours: Measurement;
  readonly beside?: { readonly what: string; readonly measurement: Measurement };
  /** In place of the goal of the bench. */
  readonly goal?: Goal;
  readonly note?: string | undefined;
  /** A wrong or missing answer: however quick, the line is not held. */
  readonly shortfall?: string | undefined;
}

/** `skipped` is what the machine cannot run, `failed` what should have run and did not. */
export interface UnmeasuredLine {
  readonly kind: 'skipped' | 'failed';
  readonly what: string;
  readonly why: string;
}

export type Held = 'yes' | 'no' | 'information';

export function isHeld(line: Line, benchGoal: Goal): Held {
  if (line.kind !== 'measured') return line.kind === 'failed' ? 'no' : 'information';
  if (line.shortfall !== undefined) return 'no';
  const goal = line.goal ?? benchGoal;
  const ours = line.ours.median;
  const beside = line.beside?.measurement.median;
  switch (goal.kind) {
    case 'none':
      return 'information';
    case 'within':
      return yesIf(beside !== undefined && ours <= beside * goal.times + goal.plusMs);
    case 'faster':
      return yesIf(beside !== undefined && beside >= ours * goal.times);
    case 'below': {
      const { limit, flatTimes } = goal;
      return yesIf(
        ours < limit && (flatTimes === undefined || beside === undefined || ours <= beside * flatTimes),
      );
    }
    default:
      return unreachable(goal);
  }
}

/** Ours in terms of what stands beside it, read the way the goal of the bench is written. */
export function ratioText(line: MeasuredLine, benchGoal: Goal): string {
  if (line.beside === undefined) return '–';
  const [ours, beside] = [line.ours.median, line.beside.measurement.median];
  const isSpeedUp = benchGoal.kind === 'faster';
  const ratio = isSpeedUp ? beside / ours : ours / beside;
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)}x${isSpeedUp ? ' faster' : ''}`;
}

export function goalText(goal: Goal, unit: Measurement['unit']): string {
  switch (goal.kind) {
    case 'none':
      return '–';
    case 'within':
      return goal.plusMs > 0 ? `≤ ${goal.times}x + ${goal.plusMs} ms` : `≤ ${goal.times}x`;
    case 'faster':
      return `≥ ${goal.times}x faster`;
    case 'below':
      return `< ${goal.limit} ${unit}${goal.flatTimes === undefined ? '' : `, flat (≤ ${goal.flatTimes}x)`}`;
    default:
      return unreachable(goal);
  }
}

function yesIf(holds: boolean): Held {
  return holds ? 'yes' : 'no';
}
