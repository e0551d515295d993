/**
 * The Evaluator of this process, over one open workspace.
 *
 * Invariant: a request that names the contents it depends on is answered only if the disk contains exactly these at
 * every path that the overlay changes, and the overlay's Baseline has read exactly these.
 */
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { HashedPath } from '../overlay/encoded-overlay.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { bottomOf, changesOf } from '../servers/overlay-effect.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { EvaluationOutcome, EvaluationRequest, Evaluator } from './evaluator.ts';
import { checkOverlay } from './overlay-check.ts';

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
async function stalePaths(
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
