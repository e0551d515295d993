/** Failures of the reference cache as a whole. */
import { Failure } from '../../base/failure.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { ReferenceCache } from '../../storage/reference-cache.ts';

export async function requireCache({ live }: WorkspaceView, signal: AbortSignal): Promise<ReferenceCache> {
  const cache = await live.cachedAnswers.cache(signal);
  if (!cache) throw new NoCache();
  return cache;
}

class NoCache extends Failure {
  readonly code = 'tools/no-cache';
  readonly remedy =
    'Make the cache directory writable, or set servers.cacheDirectory to another one; the log names the cause.';

  constructor() {
    super('reference cache is not available');
  }
}
