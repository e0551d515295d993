/** The directories of the workspace. */
import { z } from 'zod';
import { activeWorkspace } from '../active-workspace.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { foldersResult } from './workspace-folder.ts';

export const listWorkspaceFolders: Tool = defineTool({
  name: 'list_workspace_folders',
  title: 'List Workspace Folders',
  effect: 'reads',
  description: 'The root of the workspace and the directories added to it.',
  input: z.object({}),
  handle(context, _input, signal) {
    return during('list_workspace_folders', async () =>
      foldersResult(await activeWorkspace(context, undefined, signal)),
    );
  },
});
