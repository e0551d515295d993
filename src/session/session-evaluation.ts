/**
 * The Evaluation of everything a session has changed, including files that its server does not read.
 *
 * Invariant: a changed file that some program may read was evaluated, or a doubt names it.
 */
import type { Executor } from '../servers/executor.ts';
import { isData, isInert, readsAsData } from '../servers/file-bearing.ts';
import { changesOf } from '../servers/overlay-effect.ts';
import { serves } from '../servers/server-routing.ts';
import { type EvaluationRequest, evaluateOverlay } from './evaluate-overlay.ts';
import type { Evaluation } from './evaluation.ts';
import { jsonSyntaxFindings } from './json-syntax.ts';

export async function evaluateSessionOverlay(
  executor: Executor,
  request: EvaluationRequest,
  signal: AbortSignal,
): Promise<Evaluation> {
  const evaluation = await evaluateOverlay(executor, request, signal);
  const { definition } = await executor.serverFor(request.language, signal);
  const foreign = (await changesOf(request.overlay)).filter(
    ({ path }) => !isInert(path) && !serves(definition, path),
  );
  const syntax = jsonSyntaxFindings(foreign);
  const broken = new Set(syntax.map(({ path }) => path));
  const unread = foreign
    .map(({ path }) => path)
    .filter((path) => !readsAsData(definition, path) && !broken.has(path));
  // Beside evaluated files, data that nobody here reads is left aside, as it is in a patch.
  const isNothing = evaluation.evaluatedFiles.length === 0;
  const missed = unread.filter((path) => isNothing || !isData(path));
  const found: Evaluation = {
    ...evaluation,
    introduced: [...evaluation.introduced, ...syntax],
    netDelta: evaluation.netDelta + syntax.length,
    errorsDelta: evaluation.errorsDelta + syntax.length,
  };
  if (missed.length === 0) return found;
  const doubt = `Not evaluated, since ${evaluation.server.name} does not read such files: ${missed.join(', ')}.`;
  const confidence = evaluation.confidence === 'low' ? 'low' : 'partial';
  return { ...found, confidence, doubts: [...evaluation.doubts, doubt] };
}
