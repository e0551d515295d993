/**
 * Evaluations as the page gets them.
 *
 * Invariant: `isProved` follows from the evaluations alone; a file that was not judged, or a side that was not
 * measured, leaves the whole unproved.
 */
import type { Confidence, Evaluation, Finding } from '../evaluation/evaluation.ts';
import type { OverlayCheck } from '../evaluation/evaluator.ts';
import type { StoredEvaluation } from '../session/session-details.ts';
import type { WireEvaluation, WireFinding } from './protocol/evaluation.ts';

/** Findings and doubts sent of one evaluation; the counts are whole. */
const sentEntries = 500;

export function wireEvaluationOf({ verdict, evaluations, unjudged }: OverlayCheck): WireEvaluation {
  const introduced = evaluations.flatMap((evaluation) => evaluation.introduced);
  const resolved = evaluations.flatMap((evaluation) => evaluation.resolved);
  const isMeasured = evaluations.every(
    ({ confidence, baselineConfidence }) => confidence === 'high' && baselineConfidence === 'high',
  );
  const doubts = [
    ...evaluations.flatMap((evaluation) => evaluation.doubts),
    ...unjudged.map(({ paths, reason, remedy }) => `Not checked: ${paths.join(', ')}. ${reason}. ${remedy}`),
  ];
  return {
    verdict: wireVerdictOf(verdict),
    isProved: verdict.kind !== 'unknown' && isMeasured && unjudged.length === 0,
    confidence: lowest(evaluations, unjudged.length > 0 ? 'partial' : 'high'),
    introduced: sent(introduced),
    resolved: sent(resolved),
    counts: {
      introducedErrors: introduced.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
      introduced: introduced.length,
      resolved: resolved.length,
      files: new Set(evaluations.flatMap(({ evaluatedFiles }) => evaluatedFiles)).size,
    },
    durationMs: Math.max(0, ...evaluations.map(({ durationMs }) => durationMs)),
    servers: evaluations.map((evaluation) => serverProof(evaluation, evaluation.evaluatedFiles.length)),
    doubts: doubts.slice(0, sentEntries),
    unserved: unjudged.flatMap(({ paths, failure }) => (failure ? [] : paths)),
  };
}

/** As the owner of a session stored it; its lists may be cut already. */
export function wireStoredEvaluation({ verdict, evaluation, counts }: StoredEvaluation): WireEvaluation {
  const { confidence, baselineConfidence, introduced, resolved, durationMs, doubts } = evaluation;
  return {
    verdict: wireVerdictOf(verdict),
    isProved: verdict.kind !== 'unknown' && confidence === 'high' && baselineConfidence === 'high',
    confidence,
    introduced: sent(introduced),
    resolved: sent(resolved),
    counts,
    durationMs,
    servers: [serverProof(evaluation, counts.files)],
    doubts: [...doubts],
    unserved: [],
  };
}

/** An evaluation that could not be made, and why. */
export function unansweredEvaluation(reason: string): WireEvaluation {
  return {
    verdict: { kind: 'unknown', why: [reason] },
    isProved: false,
    confidence: 'low',
    introduced: [],
    resolved: [],
    counts: { introducedErrors: 0, introduced: 0, resolved: 0, files: 0 },
    durationMs: 0,
    servers: [],
    doubts: [reason],
    unserved: [],
  };
}

function wireVerdictOf(verdict: OverlayCheck['verdict']): WireEvaluation['verdict'] {
  switch (verdict.kind) {
    case 'clean':
      return verdict;
    case 'broken':
      return { ...verdict, in: [...verdict.in] };
    case 'unknown':
      return { ...verdict, why: [...verdict.why] };
  }
}

function serverProof(evaluation: Evaluation, files: number): WireEvaluation['servers'][number] {
  const { server, settle, confidence, baselineConfidence, durationMs } = evaluation;
  return {
    name: server.name,
    ...(server.version !== undefined && { version: server.version }),
    settle: settle.mode,
    ...(settle.quietMs !== undefined && { quietMs: settle.quietMs }),
    confidence,
    baselineConfidence,
    files,
    durationMs,
  };
}

function sent(findings: readonly Finding[]): WireFinding[] {
  return findings.slice(0, sentEntries).map(wireFindingOf);
}

export function wireFindingOf({ path, diagnostic }: Finding): WireFinding {
  return {
    path,
    range: diagnostic.range,
    severity: diagnostic.severity,
    message: diagnostic.message,
    ...(diagnostic.source !== undefined && { source: diagnostic.source }),
    ...(diagnostic.code !== undefined && { code: String(diagnostic.code) }),
  };
}

const worstFirst: readonly Confidence[] = ['low', 'partial', 'eventual', 'high'];

function lowest(evaluations: readonly Evaluation[], most: Confidence): Confidence {
  const grades = [most, ...evaluations.map(({ confidence }) => confidence)];
  return worstFirst.find((grade) => grades.includes(grade)) ?? most;
}
