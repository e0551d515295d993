/** The result of a chain of edits, step by step. */
import { type Evaluation, type Finding, isSafeToApply } from '../evaluation/evaluation.ts';

export interface ChainResult {
  readonly steps: readonly {
    readonly step: number;
    readonly netDelta: number;
    readonly introduced: readonly Finding[];
    readonly evaluation: Evaluation;
  }[];
  /** The last step at which the whole is measured to be no worse than the start; 0 if there is none. */
  readonly safeToApplyThroughStep: number;
  /** The number of leading steps that are all safe in that sense. */
  readonly safePrefixThroughStep: number;
  readonly cumulativeDelta: number;
}

export function summariseChain(steps: ChainResult['steps']): ChainResult {
  const firstUnsafe = steps.findIndex(({ evaluation }) => !isSafeToApply(evaluation));
  return {
    steps,
    safeToApplyThroughStep: steps.findLast(({ evaluation }) => isSafeToApply(evaluation))?.step ?? 0,
    safePrefixThroughStep: firstUnsafe < 0 ? steps.length : firstUnsafe,
    cumulativeDelta: steps.at(-1)?.netDelta ?? 0,
  };
}
