/** Trust checks before a tool runs a program. */

import type { Environment } from '../base/environment.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { SearchPlaces } from '../servers/server-location.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import { WorkspaceUntrusted } from '../workspace/trust.ts';
import type { ToolContext } from './tool-context.ts';

/** Refuses to run programs of an untrusted workspace; `what` begins the sentence: "run_build". */
export function requireTrust({ workspaces }: ToolContext, what: string, root: string): void {
  if (workspaces.user.trust.trustOf(root) === 'untrusted') throw new WorkspaceUntrusted(what, root);
}

/** The environment for an installed program: its search path excludes open workspaces that are not trusted. */
export function trustedEnvironment({ workspaces }: ToolContext): Environment {
  const { env } = workspaces.user;
  const untrusted = workspaces.all.filter(({ live }) => live.trust === 'untrusted');
  const isTrusted = untrusted.length === 0 && workspaces.all.length > 0;
  if (isTrusted) return env;
  return environmentOutside(
    env,
    untrusted.flatMap(({ workspace }) => extentOf(workspace.root, env)),
  );
}

/** The directories in which the servers of an open workspace are located. */
export function searchPlaces({ workspaces }: ToolContext, { workspace, live }: WorkspaceView): SearchPlaces {
  return { workspaceDir: workspace.root, trust: live.trust, env: workspaces.user.env };
}
