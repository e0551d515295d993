/** Detects the languages of a directory and the installed servers for them. */
import { z } from 'zod';
import { detectWorkspace } from '../../servers/server-detection.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const detectLspServers: Tool = defineTool({
  name: 'detect_lsp_servers',
  title: 'Detect LSP Servers',
  effect: 'reads',
  description: 'The languages of a directory, the installed language servers for them, and the missing ones.',
  input: z.object({ workspace_dir: word('Absolute path of the directory.') }),
  async handle({ workspaces }, { workspace_dir }, signal) {
    const { root } = await workspaces.locator.locate(workspace_dir);
    const trust = workspaces.user.trust.trustOf(root);
    return jsonResult({
      ...(await detectWorkspace({ workspaceDir: root, trust, env: workspaces.user.env }, signal)),
      workspace_dir,
    });
  },
});
