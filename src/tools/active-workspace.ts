/** The workspace of a call that names no file. */
import { NoWorkspace } from '../live/connection-workspaces.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { ToolContext } from './tool-context.ts';

/** The named workspace, opened if necessary; otherwise the one most recently opened by name. */
export async function activeWorkspace(
  { workspaces }: ToolContext,
  root: string | undefined,
  signal: AbortSignal,
): Promise<WorkspaceView> {
  if (root !== undefined) {
    const known = workspaces.all.find(({ workspace }) => workspace.root === root);
    return known ?? workspaces.use(root, signal);
  }
  const { active } = workspaces;
  if (!active) throw new NoWorkspace();
  return active;
}
