/** How long an evaluation may take where the caller did not say, or said it with one number. */
import type { Scope } from '../servers/projection-mode.ts';
import type { EvaluationRequest } from './evaluator.ts';

const defaultTimeoutMs: Readonly<Record<Scope, number>> = { file: 3000, workspace: 8000 };

/** A caller that names no time waits for a server to start, as long as that takes. */
export function evaluationTime(
  scope: Scope,
  timeoutMs: number | undefined,
): Pick<EvaluationRequest, 'scope' | 'timeoutMs' | 'serverStart'> {
  return timeoutMs
    ? { scope, timeoutMs, serverStart: 'within-timeout' }
    : { scope, timeoutMs: defaultTimeoutMs[scope], serverStart: 'unlimited' };
}
