/** Removes a directory from a workspace. */
import { z } from 'zod';
import { activeWorkspace } from '../active-workspace.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { foldersResult } from './workspace-folder.ts';

export const removeWorkspaceFolder: Tool = defineTool({
  name: 'remove_workspace_folder',
  title: 'Remove Workspace Folder',
  effect: 'process',
  idempotent: true,
  description: 'Remove an added directory from the workspace; its files are not touched.',
  input: z.object({ path: word('Absolute path of the directory.') }),
  handle(context, { path }, signal) {
    return during('remove_workspace_folder', async () => {
      const view = await activeWorkspace(context, undefined, signal);
      await view.live.folders.remove(await realName(context, path));
      return foldersResult(view, { removed: path });
    });
  },
});

/** A deleted directory is identified by the name it was added under. */
async function realName({ workspaces }: ToolContext, path: string): Promise<string> {
  return workspaces.locator.locate(path).then(
    ({ root }) => root,
    () => path,
  );
}
