/**
 * The Evaluation of everything a session has changed: by its own server, and by those of the other languages it touches.
 *
 * Invariant: a changed file that some program may read was evaluated, or a doubt names it; no server is shown a file
 * that another one answers for. Where nothing was changed nothing is proved.
 */
import { Failure } from '../base/failure.ts';
import { emptyEvaluation } from '../evaluation/empty-evaluation.ts';
import { type EvaluationRequest, evaluateOverlay } from '../evaluation/evaluate-overlay.ts';
import type { Confidence, Evaluation } from '../evaluation/evaluation.ts';
import { jsonSyntaxEvaluation } from '../evaluation/json-syntax.ts';
import {
  assignServers,
  liveFiles,
  type UnjudgedFiles,
  unreadFiles,
} from '../evaluation/server-assignment.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { changesOf } from '../servers/overlay-effect.ts';
import { comparePaths } from '../workspace/workspace-path.ts';

export async function evaluateSessionOverlay(
  live: LiveWorkspace,
  request: EvaluationRequest,
  signal: AbortSignal,
): Promise<Evaluation> {
  const { overlay, scope } = request;
  const changes = await changesOf(overlay);
  const { definition } = await live.servers.locate(request.language, signal);
  const assigned = await assignServers(live, { overlay, live: liveFiles(changes) }, signal);
  const evaluations: Evaluation[] = [];
  const unjudged = [...assigned.unserved];
  for (const { name, language, paths } of assigned.servers) {
    const isOwn = name === definition.name;
    try {
      const asked = { ...request, language: isOwn ? request.language : language };
      const evaluation = await evaluateOverlay(live, asked, signal);
      if (isOwn) evaluations.unshift(evaluation);
      else evaluations.push(evaluation);
    } catch (thrown) {
      // The session's own server failing is a failure of the call; another one only leaves its files unjudged.
      if (isOwn || !(thrown instanceof Failure)) throw thrown;
      unjudged.push({ paths, reason: thrown.message, remedy: thrown.remedy });
    }
  }
  const syntax = jsonSyntaxEvaluation(
    changes.filter(({ path }) => assigned.serverless.includes(path)),
    scope,
  );
  if (syntax) evaluations.push(syntax);
  if (evaluations.length === 0 && unjudged.length === 0) unjudged.push(...unreadFiles(live, changes));
  // Without a file that any program reads there is nothing to doubt.
  const nothing = {
    ...emptyEvaluation(scope, definition.name),
    confidence: 'high',
    baselineConfidence: 'high',
  } as const;
  const [first = nothing, ...others] = evaluations;
  const whole = others.reduce(joined, first);
  return doubted(whole, [
    ...(changes.length === 0 ? ['Nothing was changed, so nothing was evaluated.'] : []),
    ...unjudged.map(sentence),
  ]);
}

/** Two servers' words as one: all that was found, and no more confidence than the lesser of them has. */
function joined(one: Evaluation, other: Evaluation): Evaluation {
  const dependents = [one, other].flatMap(({ dependentsNotChecked }) => dependentsNotChecked ?? []);
  return {
    ...one,
    introduced: [...one.introduced, ...other.introduced],
    resolved: [...one.resolved, ...other.resolved],
    netDelta: one.netDelta + other.netDelta,
    errorsDelta: one.errorsDelta + other.errorsDelta,
    warningsDelta: one.warningsDelta + other.warningsDelta,
    confidence: lesser(one.confidence, other.confidence),
    baselineConfidence: one.baselineConfidence === 'high' ? other.baselineConfidence : 'partial',
    timedOut: one.timedOut || other.timedOut,
    durationMs: one.durationMs + other.durationMs,
    evaluatedFiles: [...new Set([...one.evaluatedFiles, ...other.evaluatedFiles])].sort(comparePaths),
    ...(dependents.length > 0 && { dependentsNotChecked: dependents.reduce((sum, count) => sum + count) }),
    doubts: [...one.doubts, ...other.doubts],
  };
}

function lesser(one: Confidence, other: Confidence): Confidence {
  return worstFirst.find((grade) => grade === one || grade === other) ?? one;
}

const worstFirst: readonly Confidence[] = ['low', 'partial', 'eventual', 'high'];

function doubted(evaluation: Evaluation, doubts: readonly string[]): Evaluation {
  if (doubts.length === 0) return evaluation;
  const confidence = lesser(evaluation.confidence, 'partial');
  return { ...evaluation, confidence, doubts: [...evaluation.doubts, ...doubts] };
}

function sentence({ paths, reason, remedy }: UnjudgedFiles): string {
  return `Not evaluated: ${paths.join(', ')}, since ${reason}. ${remedy}`;
}
