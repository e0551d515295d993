/**
 * Which open workspace a file of a tool call belongs to.
 *
 * Invariant: a path is answered only inside a workspace that contains it after symlinks are resolved.
 */
import { fileURLToPath } from 'node:url';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ToolContext } from './tool-context.ts';

export interface FileLocation {
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

/** Opens the file's workspace when none is open yet. */
export async function locateFile(
  context: ToolContext,
  pathOrUri: string,
  signal: AbortSignal,
): Promise<FileLocation> {
  const filePath = pathOrUri.startsWith('file:///') ? fileURLToPath(pathOrUri) : pathOrUri;
  const view = await context.workspaces.forFile(filePath, signal);
  return { view, path: await view.workspace.resolve(filePath) };
}
