/** Starts the language servers of a workspace, or attaches to a running one. */
import { z } from 'zod';
import { languageId } from '../../servers/language.ts';
import { InvalidArgument } from '../failure.ts';
import { whole, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { failuresOf, requireStarted, startServers } from './server-start.ts';

export const startLsp: Tool = defineTool({
  name: 'start_lsp',
  title: 'Start LSP Server',
  effect: 'process',
  idempotent: true,
  description:
    'Start the language servers of a workspace. Usually not needed: a tool that names a file starts the server it needs.',
  input: z.object({
    root_dir: word('Absolute path of the workspace.'),
    language_id: word('Start only the server of this language.').optional(),
    connect: word('host:port of a running language server; it is attached to and never stopped.').optional(),
    scope: z
      .unknown()
      // The schema declares a list, since some clients do not support unions; a single path is accepted too.
      .meta({
        type: 'array',
        items: { type: 'string' },
        description:
          'Sub-paths to load first in a large workspace; the rest is loaded on demand. Nothing is written.',
      })
      .optional(),
    ready_timeout_seconds: whole('Wait up to this long until the servers have finished indexing.').optional(),
  }),
  async handle(context, input, signal) {
    const connect = input.connect === undefined ? undefined : readAddress(input.connect);
    const step = connect ? 'passive connect failed' : 'failed to initialize LSP server';
    const seconds = input.ready_timeout_seconds ?? 0;
    const view = await during(step, () => context.workspaces.open(input.root_dir, signal));
    const scope = await during('failed to generate scope config', async () =>
      placesIn(input.scope).map((place) => view.workspace.path(place)),
    );
    const report = await during(step, async () => {
      const request = {
        ...(scope.length > 0 && { scope }),
        ...(input.language_id !== undefined && { language: languageId(input.language_id) }),
        connect,
        ...(seconds > 0 && { readyTimeoutMs: seconds * 1000 }),
      };
      return startServers(context, { view, ...request }, signal);
    });
    requireStarted(step, report);
    if (connect) return textResult(`Connected to existing language server at ${input.connect}`);
    if (report.failed.length === 0) {
      const hint = 'get_diagnostics shows the current diagnostics; preview_edit shows what an edit would do.';
      return textResult('LSP server started successfully', { hint });
    }
    return textResult(`LSP server started successfully (not started: ${failuresOf(report)})`, {
      hint: `some servers did not start: ${failuresOf(report)}`,
    });
  },
});

/** The list may be given as JSON text. */
function placesIn(scope: unknown): readonly string[] {
  const isListText = typeof scope === 'string' && scope.trim().startsWith('[');
  const listed = z.array(z.string()).safeParse(isListText ? jsonOf(scope) : [scope ?? []].flat());
  if (!listed.success) throw new InvalidArgument('scope must be a path or a list of paths');
  return listed.data.map((place) => place.trim()).filter((place) => place !== '');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is refused as not being a list.
    return undefined;
  }
}

function readAddress(connect: string): { readonly host: string; readonly port: number } {
  const colon = connect.lastIndexOf(':');
  const port = Number(connect.slice(colon + 1));
  if (colon < 1 || !Number.isInteger(port) || port < 1 || port > 65535) {
    throw new InvalidArgument(`passive connect failed: "${connect}" is not host:port`);
  }
  return { host: connect.slice(0, colon), port };
}
