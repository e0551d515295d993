/** What tools ask about trust before they run a program. */
import { environmentOutside } from '../workspace/outside-environment.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import { howToTrust, WorkspaceUntrusted } from '../workspace/trust.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';

/** Refuses what would run programs of a workspace that is not trusted; `what` begins the sentence: "run_build". */
export function requireTrust({ workspaces }: ToolContext, what: string, root: string): void {
  if (workspaces.trust.trustOf(root) === 'untrusted') throw new WorkspaceUntrusted(what, root);
}

/** The environment for a program of the machine: nothing in it leads into an open workspace that is not trusted. */
export function trustedEnvironment({ workspaces }: ToolContext, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const untrusted = workspaces.all.filter(({ executor }) => executor.trust === 'untrusted');
  const isTrusted = untrusted.length === 0 && workspaces.all.length > 0;
  if (isTrusted) return env;
  return environmentOutside(
    env,
    untrusted.flatMap(({ workspace }) => extentOf(workspace.root, env)),
  );
}

/** Says with an answer what its servers did without, because the workspace is not trusted; nothing where that is nothing. */
export function withUntrusted({ workspaces }: ToolContext, result: ToolResult): ToolResult {
  const offering = workspaces.all.filter(({ executor }) => executor.withheld.length > 0);
  if (offering.length === 0) return result;
  const untrusted = {
    not_used: offering.flatMap(({ executor }) => executor.withheld.map(({ path }) => path)),
    how_to_trust: offering.map(({ workspace }) => howToTrust(workspace.root)).join(' '),
  };
  return { ...result, meta: { ...result.meta, untrusted } };
}
