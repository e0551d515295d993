/**
 * The Evaluator of this process, over one open workspace. A whole overlay is evaluated as one change, by every language
 * server it affects.
 *
 * Invariants: a request that names the contents it depends on is answered only if the disk contains exactly these at
 * every path that the overlay changes, and the overlay's Baseline has read exactly these. `clean` needs a clean verdict
 * of every server and no file that was not judged. If no server evaluated anything, only a change to prose, or one that
 * keeps the meaning of a configuration, is clean; an empty change is not. A server that fails is named, and never hides
 * what the others found.
 */
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { HashedPath } from '../overlay/encoded-overlay.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isIrrelevantToServers } from '../servers/file-relevance.ts';
import { bottomOf, changesOf } from '../servers/projection.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { AnswerCount } from './answer-count.ts';
import { changesAgainst, overlayBeneath } from './comparison-base.ts';
import { evaluateOverlay } from './evaluate-overlay.ts';
import { type Evaluation, type Verdict, verdictOf } from './evaluation.ts';
import type { EvaluationOutcome, EvaluationRequest, Evaluator, OverlayCheck } from './evaluator.ts';
import { jsonSyntaxEvaluation } from './json-syntax.ts';
import { underEachName } from './linked-files.ts';
import {
  type AssignedServer,
  assignServers,
  includableFiles,
  liveFiles,
  type UnjudgedFiles,
  unreadFiles,
} from './server-assignment.ts';

export class LocalEvaluator implements Evaluator {
  readonly #live: LiveWorkspace;
  readonly #log: Log;

  constructor(live: LiveWorkspace, log: Log) {
    this.#live = live;
    this.#log = log.child('evaluation');
  }

  async evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationOutcome> {
    const startedAt = performance.now();
    const { root } = this.#live.workspace;
    if (request.workspace.root !== root) throw new OtherWorkspace(request.workspace.root, root);
    const outcome = await this.#answer(request, signal);
    this.#log.debug('evaluation.complete', {
      caller: request.caller,
      scope: request.scope,
      outcome: outcome.kind === 'evaluated' ? outcome.verdict.kind : outcome.kind,
      duration_ms: Math.round(performance.now() - startedAt),
    });
    return outcome;
  }

  async #answer(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationOutcome> {
    if (request.restsOn !== undefined) {
      const paths = await stalePaths(request.overlay, request.restsOn, this.#live.disk.source);
      if (paths.length > 0) return { kind: 'stale', paths };
    }
    return { kind: 'evaluated', ...(await checkOverlay(this.#live, request, signal)) };
  }
}

class OtherWorkspace extends Failure {
  readonly code = 'evaluation/other-workspace';
  readonly remedy = 'Send the request to an evaluator of its own workspace.';

  constructor(asked: string, open: string) {
    super(`the request is about "${asked}", and this evaluator works on "${open}"`);
  }
}

/**
 * Where the disk, or the overlay's Baseline, differs from what the request depends on. This includes a file that the
 * overlay would change but the request does not name: it was created in a directory that the overlay removes.
 */
export async function stalePaths(
  overlay: Overlay,
  restsOn: readonly HashedPath[],
  disk: FileSource,
): Promise<readonly WorkspacePath[]> {
  const bottom = bottomOf(overlay);
  const other = await mapConcurrently(restsOn, 16, async ({ path, hash }) => {
    const found = await Promise.all([bottom.read(path), disk.read(path)]);
    return found.every((content) => hashContent(content) === hash) ? [] : [path];
  });
  const named = new Set(restsOn.map(({ path }) => path));
  const changed = (await changesOf(overlay)).flatMap(({ path, from = path }) => [path, from]);
  const stale = new Set([...other.flat(), ...changed.filter((path) => !named.has(path))]);
  return [...stale].sort(comparePaths);
}

export type { OverlayCheck } from './evaluator.ts';

export type CheckRequest = Omit<EvaluationRequest, 'workspace' | 'restsOn' | 'caller'>;

/** The servers are asked in parallel. */
export async function checkOverlay(
  live: LiveWorkspace,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  // Names are those of the disk as it is now: an answer of before could lack a link that was just made.
  await live.syncWithDisk(signal);
  const names = await live.disk.linkNames();
  if (!names) return checkNamed(live, request, signal);
  const overlay = underEachName(request.overlay, names);
  const check = await checkNamed(live, { ...request, overlay }, signal);
  if (overlay === request.overlay) return check;
  const changes = await changesAgainst(request.overlay, request.against ?? 'disk');
  return { ...check, changed: changes.map(({ path }) => path) };
}

/** As `checkOverlay`, of an overlay that has its changes under each name of a file. */
async function checkNamed(
  live: LiveWorkspace,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  const { overlay, scope, against = 'disk' } = request;
  const mainServer = request.mainLanguage && (await serverName(live, request.mainLanguage, signal));
  const changes = await changesAgainst(overlay, against);
  const beneath = overlayBeneath(overlay, against);
  const sides = beneath ? [overlay, beneath] : [overlay];
  const includable = includableFiles(changes);
  const assigned = await assignServers(live, { sides, live: liveFiles(changes), includable }, signal);
  const { asked, unasked } = await chosenServers(live, assigned.servers, request, signal);
  if (asked.length > 0) request.onProgress?.(`asking ${asked.map(({ name }) => name).join(', ')}`);
  const count = request.onAnswered && new AnswerCount(request.onAnswered);
  const answers = await mapConcurrently(asked, asked.length, (server) =>
    askServer(live, server, { ...request, count }, signal),
  );
  const evaluations = answers.flatMap((answer) => ('paths' in answer ? [] : [answer]));
  const failed = answers.flatMap((answer) => ('paths' in answer ? [answer] : []));
  const unjudged = [...assigned.unserved, ...unasked, ...failed];
  // Lock files are irrelevant to a compiler, but one that does not parse stops every tool that reads it.
  const data = changes.filter(
    ({ path }) => assigned.serverless.includes(path) || isIrrelevantToServers(path),
  );
  const syntax = data.length > 0 ? jsonSyntaxEvaluation(data, scope) : undefined;
  if (syntax) evaluations.push(syntax);
  if (evaluations.length === 0 && unjudged.length === 0) unjudged.push(...unreadFiles(live, changes));
  const verdict = changes.length === 0 ? emptyChange : overall(evaluations, unjudged);
  const changed = changes.map(({ path }) => path);
  return { changed, verdict, evaluations, unjudged, ...(mainServer !== undefined && { mainServer }) };
}

/** The same check of a change that also has these files. */
export function withUnjudged(check: OverlayCheck, more: readonly UnjudgedFiles[]): OverlayCheck {
  if (more.length === 0) return check;
  const unjudged = [...check.unjudged, ...more];
  return { ...check, unjudged, verdict: overall(check.evaluations, unjudged) };
}

/** One server's evaluation, or why its files have none. */
async function askServer(
  live: LiveWorkspace,
  { name, language, paths }: AssignedServer,
  request: CheckRequest & { readonly count: AnswerCount | undefined },
  signal: AbortSignal,
): Promise<Evaluation | UnjudgedFiles> {
  const { overlay, scope, timeoutMs, serverStart, against = 'disk', count, onPartial } = request;
  const startTimeoutMs = serverStart === 'unlimited' ? undefined : timeoutMs;
  try {
    const asked = { overlay, language, scope, timeoutMs, startTimeoutMs, against, count, onPartial };
    return await evaluateOverlay(live, asked, signal);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { message: reason, remedy, code } = thrown;
    return { paths, reason, remedy, failure: { server: name, code } };
  }
}

/** If the request names languages, other servers are not asked, and their files are listed as not judged. */
async function chosenServers(
  live: LiveWorkspace,
  servers: readonly AssignedServer[],
  { languages }: CheckRequest,
  signal: AbortSignal,
): Promise<{ readonly asked: readonly AssignedServer[]; readonly unasked: readonly UnjudgedFiles[] }> {
  if (languages === undefined) return { asked: servers, unasked: [] };
  const names = new Set(await Promise.all(languages.map((language) => serverName(live, language, signal))));
  return {
    asked: servers.filter(({ name }) => names.has(name)),
    unasked: servers
      .filter(({ name }) => !names.has(name))
      .map(({ name, paths }) => ({
        paths,
        reason: `${name} was not asked`,
        remedy: 'Ask without naming languages, or name the languages of these files too.',
      })),
  };
}

async function serverName(
  live: LiveWorkspace,
  language: AssignedServer['language'],
  signal: AbortSignal,
): Promise<string> {
  return (await live.servers.locate(language, signal)).definition.name;
}

/** Nothing was changed, so no server was asked; a caller that meant a change must learn that none arrived. */
const emptyChange: Verdict = { kind: 'unknown', why: ['The change is empty, so nothing was evaluated.'] };

function overall(evaluations: readonly Evaluation[], unjudged: readonly UnjudgedFiles[]): Verdict {
  const verdicts = evaluations.map(verdictOf);
  const broken = verdicts.filter((verdict) => verdict.kind === 'broken');
  if (broken.length > 0) {
    const files = new Set(broken.flatMap((verdict) => verdict.in));
    return {
      kind: 'broken',
      errors: broken.reduce((sum, verdict) => sum + verdict.errors, 0),
      in: [...files].sort(),
    };
  }
  const why = [
    ...verdicts.flatMap((verdict) => (verdict.kind === 'unknown' ? verdict.why : [])),
    ...unjudged.map(({ paths, reason }) => `${paths.join(', ')}: ${reason}`),
  ];
  const isUnknown = unjudged.length > 0 || verdicts.some((verdict) => verdict.kind === 'unknown');
  return isUnknown ? { kind: 'unknown', why } : { kind: 'clean' };
}
