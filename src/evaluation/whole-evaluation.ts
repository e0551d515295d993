/**
 * Joins the evaluations of all servers that a change affects, for callers that need one Evaluation.
 *
 * Invariant: a changed file that some program may read was evaluated, or a doubt names it. Without an edit nothing is
 * proved.
 */
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/projection.ts';
import { comparePaths } from '../workspace/workspace-path.ts';
import { type Confidence, type Evaluation, emptyEvaluation } from './evaluation.ts';
import { EvaluationStale, ServerFailed } from './evaluation-failure.ts';
import type { EvaluationRequest, Evaluator } from './evaluator.ts';
import type { OverlayCheck } from './local-evaluator.ts';
import type { UnjudgedFiles } from './server-assignment.ts';

/** A failure of the main language's server fails the call; any other only leaves its files unjudged. */
export async function evaluateWhole(
  evaluator: Evaluator,
  request: EvaluationRequest & { readonly mainLanguage: LanguageId },
  signal: AbortSignal,
): Promise<Evaluation> {
  const outcome = await evaluator.evaluate(request, signal);
  if (outcome.kind === 'stale') throw new EvaluationStale(outcome.paths);
  const { unjudged, mainServer = request.mainLanguage } = outcome;
  const failed = unjudged.find(({ failure }) => failure?.server === mainServer);
  if (failed?.failure) throw new ServerFailed(failed.reason, { ...failed.failure, remedy: failed.remedy });
  return doubted(joinedOf(outcome, mainServer, request), [
    // An edit that keeps the text is an edit: the files compare equal, which is proof. No edit proves nothing.
    ...(request.overlay.isEmpty ? ['Nothing was changed, so nothing was evaluated.'] : []),
    ...unjudged.map(sentence),
  ]);
}

/** The main server's evaluation comes first: the result has its name. */
function joinedOf(
  { evaluations }: OverlayCheck,
  mainServer: string,
  { scope }: Pick<EvaluationRequest, 'scope'>,
): Evaluation {
  const isMain = ({ server }: Evaluation) => server.name === mainServer;
  const ordered = [...evaluations.filter(isMain), ...evaluations.filter((each) => !isMain(each))];
  // If no program reads a changed file, there is nothing to doubt.
  const nothing = {
    ...emptyEvaluation(scope, mainServer),
    confidence: 'high',
    baselineConfidence: 'high',
  } as const;
  const [first = nothing, ...others] = ordered;
  return others.reduce(joined, first);
}

/** The findings of both servers, with the lower confidence. */
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
    // They were asked in parallel.
    durationMs: Math.max(one.durationMs, other.durationMs),
    evaluatedFiles: [...new Set([...one.evaluatedFiles, ...other.evaluatedFiles])].sort(comparePaths),
    ...(dependents.length > 0 && { dependentsNotChecked: dependents.reduce((sum, count) => sum + count) }),
    doubts: [...one.doubts, ...other.doubts],
  };
}

function doubted(evaluation: Evaluation, doubts: readonly string[]): Evaluation {
  if (doubts.length === 0) return evaluation;
  const confidence = lesser(evaluation.confidence, 'partial');
  return { ...evaluation, confidence, doubts: [...evaluation.doubts, ...doubts] };
}

function lesser(one: Confidence, other: Confidence): Confidence {
  return worstFirst.find((grade) => grade === one || grade === other) ?? one;
}

const worstFirst: readonly Confidence[] = ['low', 'partial', 'eventual', 'high'];

function sentence({ paths, reason, remedy }: UnjudgedFiles): string {
  return `Not evaluated: ${paths.join(', ')}, since ${reason}. ${remedy}`;
}

const defaultTimeoutMs: Readonly<Record<Scope, number>> = { file: 3000, workspace: 8000 };

/**
 * The time limits of an evaluation if the caller gave none, or only one number. Without a limit, the evaluation waits for
 * the server to start, however long that takes.
 */
export function evaluationTime(
  scope: Scope,
  timeoutMs: number | undefined,
): Pick<EvaluationRequest, 'scope' | 'timeoutMs' | 'serverStart'> {
  return timeoutMs
    ? { scope, timeoutMs, serverStart: 'within-timeout' }
    : { scope, timeoutMs: defaultTimeoutMs[scope], serverStart: 'unlimited' };
}
