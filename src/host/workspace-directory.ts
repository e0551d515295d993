/** The workspace that a command works on: the one that contains a directory, else the directory itself. */
import { inferWorkspace } from '../live/workspace-root.ts';
import { Workspace } from '../workspace/workspace.ts';

export async function workspaceDirectory(
  directory: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const { root } = await Workspace.open(directory);
  return (await inferWorkspace(root, env, signal))?.root ?? root;
}
