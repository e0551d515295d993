/** Refuses what would run programs of a workspace that is not trusted. */
import { WorkspaceUntrusted } from '../workspace/trust.ts';
import type { ToolContext } from './tool-context.ts';

/** `what` begins the sentence: "run_build". */
export function requireTrust({ workspaces }: ToolContext, what: string, root: string): void {
  if (workspaces.trust.trustOf(root) === 'untrusted') throw new WorkspaceUntrusted(what, root);
}
