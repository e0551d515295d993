/** Restarts the language servers of a workspace. */
import { z } from 'zod';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { languageId } from '../../servers/language.ts';
import { InvalidArgument } from '../failure.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { textResult } from '../tool-result.ts';
import { failuresOf, requireStarted, startServers } from './server-start.ts';

export const restartLspServer: Tool = defineTool({
  name: 'restart_lsp_server',
  title: 'Restart LSP Server',
  effect: 'process',
  idempotent: true,
  description: 'Stop and start the language servers of a workspace; sessions keep their edits.',
  input: z.object({
    root_dir: word('Absolute path of the workspace; default: the current one.').optional(),
    language_id: word('Restart only the server of this language.').optional(),
  }),
  async handle(context, input, signal) {
    const step = 'failed to restart LSP server';
    const report = await during(step, async () => {
      const view = await workspaceOf(context, input.root_dir, signal);
      const language = input.language_id === undefined ? undefined : languageId(input.language_id);
      const name = language && (await view.live.servers.locate(language, signal)).definition.name;
      await view.live.servers.restart(name);
      return startServers(context, { view, language }, signal);
    });
    requireStarted(step, report);
    const missing = report.failed.length > 0 ? `; not started: ${failuresOf(report)}` : '';
    return textResult(`LSP server restarted successfully; other servers are unaffected${missing}`);
  },
});

async function workspaceOf(
  context: ToolContext,
  root: string | undefined,
  signal: AbortSignal,
): Promise<WorkspaceView> {
  if (root !== undefined) return context.workspaces.open(root, signal);
  const active = context.workspaces.active;
  if (!active)
    throw new InvalidArgument('LSP client not initialized; call start_lsp first', 'Give root_dir.');
  return active;
}
