/** What tools ask about trust before they run a program. */

import type { Environment } from '../base/environment.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { SearchPlaces } from '../servers/server-location.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import { WorkspaceUntrusted } from '../workspace/trust.ts';
import type { ToolContext } from './tool-context.ts';

/** Refuses what would run programs of a workspace that is not trusted; `what` begins the sentence: "run_build". */
export function requireTrust({ workspaces }: ToolContext, what: string, root: string): void {
  if (workspaces.trust.trustOf(root) === 'untrusted') throw new WorkspaceUntrusted(what, root);
}

/** The environment for a program of the machine: nothing in it leads into an open workspace that is not trusted. */
export function trustedEnvironment({ workspaces }: ToolContext): Environment {
  const { env } = workspaces;
  const untrusted = workspaces.all.filter(({ live }) => live.trust === 'untrusted');
  const isTrusted = untrusted.length === 0 && workspaces.all.length > 0;
  if (isTrusted) return env;
  return environmentOutside(
    env,
    untrusted.flatMap(({ workspace }) => extentOf(workspace.root, env)),
  );
}

/** Where the servers of an open workspace are searched for. */
export function searchPlaces({ workspaces }: ToolContext, { workspace, live }: WorkspaceView): SearchPlaces {
  return { workspaceDir: workspace.root, trust: live.trust, env: workspaces.env };
}
