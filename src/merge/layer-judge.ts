/** Judges what the uppermost layer of an overlay does to the one beneath it, by an Evaluator. */
import { EvaluationStale } from '../evaluation/evaluation-failure.ts';
import type { EvaluationRequest, Evaluator } from '../evaluation/evaluator.ts';
import type { JudgeLayer } from './merge-evaluation.ts';

export function layerJudge(
  evaluator: Evaluator,
  asked: Pick<EvaluationRequest, 'workspace' | 'scope' | 'timeoutMs' | 'serverStart'>,
): JudgeLayer {
  return async (overlay, signal) => {
    // What changes no file breaks none: a branch that the target has already.
    if ((await overlay.changes()).length === 0)
      return { changed: [], verdict: { kind: 'clean' }, evaluations: [], unjudged: [] };
    const request = { ...asked, overlay, against: 'beneath', caller: 'merge' } as const;
    const outcome = await evaluator.evaluate(request, signal);
    if (outcome.kind === 'stale') throw new EvaluationStale(outcome.paths);
    return outcome;
  };
}
