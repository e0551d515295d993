/** Adds a directory to a workspace and its language servers. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { activeWorkspace } from '../active-workspace.ts';
import { InvalidArgument } from '../failure.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { foldersResult } from './workspace-folder.ts';

export const addWorkspaceFolder: Tool = defineTool({
  name: 'add_workspace_folder',
  title: 'Add Workspace Folder',
  effect: 'process',
  idempotent: true,
  description:
    'Add a directory to the workspace: every tool accepts its files, and servers with multi-folder support load it.',
  input: z.object({ path: word('Absolute path of the directory.') }),
  handle(context, { path }, signal) {
    return during('add_workspace_folder', async () => {
      if (!isAbsolute(path)) throw new InvalidArgument(`path "${path}" is not absolute`);
      const view = await activeWorkspace(context, undefined, signal);
      await view.live.folders.add(await context.workspaces.locator.locate(path), context.log, signal);
      return foldersResult(view, { added: path });
    });
  },
});
