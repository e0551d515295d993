/** What can go wrong with the cache as a whole. */
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
    'Give it a directory it may write to: FORERUN_CACHE_DIR names one, and the log says what was wrong with the last.';

  constructor() {
    super('reference cache is not available');
  }
}
