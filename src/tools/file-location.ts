/**
 * Finds the open workspace of a file in a tool call.
 *
 * Invariant: the path lies inside the workspace after symlinks are resolved.
 */
import { fileURLToPath } from 'node:url';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ToolContext } from './tool-context.ts';

export interface FileLocation {
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

/** Opens the file's workspace if none is open yet. */
export async function locateFile(
  context: ToolContext,
  pathOrUri: string,
  signal: AbortSignal,
): Promise<FileLocation> {
  const filePath = pathOrUri.startsWith('file:///') ? fileURLToPath(pathOrUri) : pathOrUri;
  const view = await context.workspaces.forFile(filePath, signal);
  return { view, path: await view.workspace.resolve(filePath) };
}
