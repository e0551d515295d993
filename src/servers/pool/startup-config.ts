/**
 * Configuration that must be in place before a server starts. Some servers apply configuration changes
 * asynchronously; answers given in between match neither configuration. Such a server is started anew with the
 * changed configuration mounted.
 *
 * Invariant: a server started with changed configuration has one holder and is ended when that holder releases it.
 */
import type { ShownWorkspace } from '../../sandbox/mounted-workspace.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { isDirectoryAt } from '../../workspace/link-names.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { childOf, rootPath } from '../../workspace/workspace-path.ts';
import { isConfiguredBy } from '../file-relevance.ts';
import type { OverlayEffect } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';
import type { Replica } from './replica.ts';
import type { AcquiredReplica, ServerPool } from './server-pool.ts';

/** Whether the servers of a pool run with configuration that has since changed on disk. */
export function hasOutdatedConfig({ replicas }: ServerPool, events: readonly FileEvent[]): boolean {
  return replicas.some(({ definition, setup }) => {
    const { takesChangesInOrder, sourceRootAtStart } = definition.quirks;
    if (takesChangesInOrder) return false;
    const root = setup.lacksSourceRoot ? sourceRootAtStart : undefined;
    const isInNewRoot = ({ path, kind }: FileEvent): boolean =>
      root !== undefined && kind === 'created' && path.startsWith(`${root}/`);
    return events.some((event) => isConfiguredBy(definition, event.path) || isInNewRoot(event));
  });
}

/** Whether a directory that the server would search is missing from the workspace it is started in. */
export function lacksSourceRoot({ quirks }: ServerDefinition, workspace: Workspace): boolean {
  const { sourceRootAtStart: root } = quirks;
  return root !== undefined && !isDirectoryAt(workspace.absolute(childOf(rootPath, root)));
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
