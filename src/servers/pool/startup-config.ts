/**
 * Configuration that must be in place before a server starts. Some servers apply configuration changes
 * asynchronously; answers given in between match neither configuration. Such a server is started anew with the
 * changed configuration mounted.
 *
 * Invariant: a server started with changed configuration has one holder and is ended when that holder releases it.
 */
import type { ShownWorkspace } from '../../sandbox/mounted-workspace.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { isConfiguredBy } from '../file-relevance.ts';
import type { OverlayEffect } from '../projection.ts';
import type { Replica } from './replica.ts';
import type { AcquiredReplica, ServerPool } from './server-pool.ts';

/** Whether the servers of a pool run with configuration that has since changed on disk. */
export function hasOutdatedConfig({ replicas }: ServerPool, events: readonly FileEvent[]): boolean {
  return replicas.some(
    ({ definition }) =>
      !definition.quirks.takesChangesInOrder && events.some(({ path }) => isConfiguredBy(definition, path)),
  );
}

export async function applyStartupConfig(mount: ShownWorkspace, startupConfig: OverlayEffect): Promise<void> {
  for (const [path, content] of startupConfig) {
    if (content === 'removed') await mount.remove(path);
    else await mount.write(path, content);
  }
}

/** A replica for one holder, disposed on release; `ending` receives the promise of its disposal. */
export function disposeOnRelease(replica: Replica, ending: (end: Promise<void>) => void): AcquiredReplica {
  let isReleased = false;
  return {
    replica,
    release: () => {
      if (isReleased) return;
      isReleased = true;
      ending(replica[Symbol.asyncDispose]());
    },
  };
}
