/** An evaluation that found nothing and proved it, but for what a test says. */
import type { Evaluation } from '../../src/evaluation/evaluation.ts';

export function evaluation(parts: Partial<Evaluation>): Evaluation {
  return {
    scope: 'file',
    introduced: [],
    resolved: [],
    netDelta: 0,
    errorsDelta: 0,
    warningsDelta: 0,
    confidence: 'high',
    baselineConfidence: 'high',
    timedOut: false,
    durationMs: 1,
    server: { name: 'x' },
    settle: { mode: 'pull' },
    way: 'buffers',
    confinement: { kind: 'not-needed' },
    evaluatedFiles: [],
    doubts: [],
    ...parts,
  };
}
