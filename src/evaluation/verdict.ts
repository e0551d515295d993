/**
 * The verdict of an Evaluation.
 *
 * Invariant: `clean` needs proof. Errors found are `broken` whatever the confidence, since they were seen; their
 * absence counts only if it was proved.
 */
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Evaluation } from './evaluation.ts';

export type Verdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'broken'; readonly errors: number; readonly in: readonly WorkspacePath[] }
  | { readonly kind: 'unknown'; readonly why: readonly string[] };

export function verdictOf(evaluation: Evaluation): Verdict {
  const errors = evaluation.introduced.filter((finding) => finding.diagnostic.severity === 'error');
  if (errors.length > 0) {
    const files = new Set(errors.map((finding) => finding.path));
    return { kind: 'broken', errors: errors.length, in: [...files].sort() };
  }
  if (evaluation.confidence === 'high' && evaluation.baselineConfidence === 'high') return { kind: 'clean' };
  return { kind: 'unknown', why: evaluation.doubts };
}

/** Whether an edit may be applied without asking: nothing got worse, and both sides of the comparison were measured. */
export function isSafeToApply(evaluation: Evaluation): boolean {
  const isMeasured =
    (evaluation.confidence === 'high' || evaluation.confidence === 'eventual') &&
    evaluation.baselineConfidence === 'high' &&
    !evaluation.timedOut;
  return isMeasured && evaluation.netDelta <= 0 && verdictOf(evaluation).kind !== 'broken';
}
