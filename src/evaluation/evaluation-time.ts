/** The time limits of an evaluation if the caller gave none, or only one number. */
import type { Scope } from '../servers/projection-mode.ts';
import type { EvaluationRequest } from './evaluator.ts';

const defaultTimeoutMs: Readonly<Record<Scope, number>> = { file: 3000, workspace: 8000 };

/** Without a limit, the evaluation waits for the server to start, however long that takes. */
export function evaluationTime(
  scope: Scope,
  timeoutMs: number | undefined,
): Pick<EvaluationRequest, 'scope' | 'timeoutMs' | 'serverStart'> {
  return timeoutMs
    ? { scope, timeoutMs, serverStart: 'within-timeout' }
    : { scope, timeoutMs: defaultTimeoutMs[scope], serverStart: 'unlimited' };
}
