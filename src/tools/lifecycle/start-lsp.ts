/** Starts the language servers of a workspace, or attaches to one that runs already. */
import { z } from 'zod';
import { languageId } from '../../servers/language.ts';
import { during, InvalidArgument } from '../failure.ts';
import { whole, word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { failuresOf, requireStarted, startServers } from './server-start.ts';

export const startLsp: Tool = defineTool({
  name: 'start_lsp',
  title: 'Start LSP Server',
  effect: 'process',
  idempotent: true,
  description:
    'Start the language servers of a workspace. Usually not needed: a tool that names a file starts what it needs.',
  input: z.object({
    root_dir: word('Absolute path of the workspace.'),
    language_id: word('Start only the server of this language.').optional(),
    connect: word(
      'host:port of a language server that runs already; it is attached to and never stopped.',
    ).optional(),
    scope: z
      .unknown()
      // Told to clients as a list, since some know no unions; a single path is read all the same.
      .meta({
        type: 'array',
        items: { type: 'string' },
        description:
          'Sub-paths to load first in a large workspace; the rest is loaded when it is asked about. Nothing is written.',
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
      const hint = 'get_diagnostics shows what the servers say; preview_edit what an edit would do.';
      return textResult('LSP server started successfully', { hint });
    }
    return textResult(`LSP server started successfully (not started: ${failuresOf(report)})`, {
      hint: `some servers did not start: ${failuresOf(report)}`,
    });
  },
});

/** A list may come as the text of one. */
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
    // What is no JSON is no list, and is answered as such.
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
