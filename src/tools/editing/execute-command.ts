/** Executes a command of a language server. */
import { join } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../base/record.ts';
import { ownEdit } from '../../code/server-edit.ts';
import { NoWorkspace } from '../../live/connection-workspaces.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { applyWorkspaceEdit } from '../../overlay/workspace-edit.ts';
import { type LanguageId, languageId } from '../../servers/language.ts';
import type { Lease } from '../../servers/lease.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { chooseServers } from '../every-server.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { requireTrust } from '../trusted-workspace.ts';
import { type CommittedEdit, commitEdit, warned } from './landed-edit.ts';

export const executeCommand: Tool = defineTool({
  name: 'execute_command',
  title: 'Execute Command',
  effect: 'disk',
  description:
    'Execute a command of the language server, such as one that suggest_fixes named. Edits that the server requests meanwhile are written, each completely or not at all.',
  input: z.object({
    command: word('Name of the command, as the server announces it.'),
    arguments: z.array(z.unknown()).describe('Arguments of the command, as JSON values.').optional(),
    file_path: word('Use the server of this file; absent: the one that announces the command.').optional(),
    language_id: word('Use the server of this language.').optional(),
  }),
  handle(context, input, signal) {
    return during('execute_command', async () => {
      const { view, language } = await receiver(context, input, signal);
      for (const path of pathsIn(input.arguments)) {
        await context.workspaces.locator.requireServed(
          isRelative(path) ? join(view.workspace.root, path) : path,
        );
      }
      const { definition } = await view.live.servers.locate(language, signal);
      // Commands of other servers build, generate and test: gopls.generate executes comments of the workspace.
      if (definition.embedded === undefined) requireTrust(context, 'execute_command', view.workspace.root);
      await using lease = await view.fork(view.live.emptyOverlay()).lease(language, signal);
      if (!lease.server.capabilities.has('executeCommandProvider')) {
        return jsonResult(null, { meta: { unsupported: 'executeCommandProvider', server: lease.server.id } });
      }
      const written = new Set<WorkspacePath>();
      const warnings: string[] = [];
      const accept = async (edit: unknown): Promise<void> => {
        const committed = await applyServerEdit(view, lease, edit, signal);
        for (const path of committed.written) written.add(path);
        warnings.push(...committed.warnings);
      };
      const params = { command: input.command, arguments: input.arguments ?? [] };
      const result = await lease.executeCommand(params, accept, signal);
      return jsonResult(result ?? null, {
        ...(written.size > 0 && {
          meta: { files_written: [...written].sort() },
          // The server is busy while the edits are written, so it is not asked for diagnostics in between.
          landed: { files: [...written].map((path) => view.workspace.absolute(path)) },
        }),
        ...warned(warnings),
      });
    });
  },
});

/** The strings in a command's arguments that a server may read as a file path, at any depth. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return /^(?:file:|[\\/]|[a-z]:[\\/]|\.{1,2}[\\/])/i.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return isRecord(value) ? Object.values(value).flatMap(pathsIn) : [];
}

function isRelative(path: string): boolean {
  return path.startsWith('.');
}

async function applyServerEdit(
  view: WorkspaceView,
  lease: Lease,
  edit: unknown,
  signal: AbortSignal,
): Promise<CommittedEdit> {
  const { workspace, live } = view;
  const own = ownEdit({ lease, workspace }, edit);
  const overlay = await applyWorkspaceEdit(workspace, live.emptyOverlay(), own);
  return commitEdit(view, overlay, signal);
}

interface Receiver {
  readonly view: WorkspaceView;
  readonly language: LanguageId;
}

/** The named server, else a running one that announces the command, else the first. */
async function receiver(
  context: ToolContext,
  input: {
    readonly command: string;
    readonly file_path?: string | undefined;
    readonly language_id?: string | undefined;
  },
  signal: AbortSignal,
): Promise<Receiver> {
  if (input.file_path !== undefined) {
    const { view, path } = await context.workspaces.locateFile(input.file_path, signal);
    return { view, language: view.languageFor(path) };
  }
  if (input.language_id === undefined) {
    const knowing = announcing(context, input.command);
    if (knowing) return knowing;
  }
  const filter = { language: input.language_id === undefined ? undefined : languageId(input.language_id) };
  const [first] = await chooseServers(context, filter, signal);
  if (!first) throw new NoWorkspace();
  return first;
}

function announcing({ workspaces }: ToolContext, command: string): Receiver | undefined {
  for (const view of workspaces.all) {
    for (const { capabilities, definition } of view.live.servers.pools.flatMap(
      ({ served }) => served ?? [],
    )) {
      const [language] = definition.languages;
      const { executeCommandProvider: offer } = capabilities.raw;
      const commands = isRecord(offer) && Array.isArray(offer.commands) ? offer.commands : [];
      if (language !== undefined && commands.includes(command)) return { view, language };
    }
  }
  return undefined;
}
