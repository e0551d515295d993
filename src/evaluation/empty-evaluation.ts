/** An Evaluation without any answer of a server; the caller sets the confidence and the reasons. */
import type { Evaluation } from './evaluation.ts';

export function emptyEvaluation(scope: Evaluation['scope'], name: string): Evaluation {
  return {
    scope,
    introduced: [],
    resolved: [],
    netDelta: 0,
    errorsDelta: 0,
    warningsDelta: 0,
    confidence: 'partial',
    baselineConfidence: 'partial',
    timedOut: false,
    durationMs: 0,
    server: { name },
    settle: { mode: 'request' },
    way: 'buffers',
    confinement: { kind: 'not-needed' },
    evaluatedFiles: [],
    doubts: [],
  };
}
