/**
 * Configuration a server is started with, because it would take in a change to it in its own time: an answer given
 * meanwhile belongs to neither the old terms nor the new.
 *
 * Invariant: a server started on terms is handed to one holder and ended when that one is done.
 */
import type { ShownWorkspace } from '../../sandbox/mounted-workspace.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { isConfiguredBy } from '../file-relevance.ts';
import type { OverlayEffect } from '../overlay-effect.ts';
import type { ServerDefinition } from '../server-definition.ts';
import type { Replica } from './replica.ts';
import type { AcquiredReplica, ServerPool } from './server-pool.ts';

/** The part of what is to be shown that must be there before the server starts. */
export function startupConfigIn(definition: ServerDefinition, effect: OverlayEffect): OverlayEffect {
  if (definition.quirks.takesChangesInOrder) return new Map();
  return new Map([...effect].filter(([path]) => isConfiguredBy(definition, path)));
}

/** Whether the servers of a pool run on terms that are no longer those of the disk. */
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

/** A replica for one holder; `ending` is told of its end, for whoever must wait for that. */
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
