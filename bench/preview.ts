/** `npm run bench -- preview`: what the door and the house cost on top of the server itself. */
import { McpConnection } from '../test/support/mcp-connection.ts';
import type { Bench } from './bench.ts';
import { sampleInTurn } from './support/measurement.ts';
import { changeAndPull, Misses, previewOverMcp } from './support/preview.ts';
import { RawServer } from './support/raw-server.ts';

/** What may be added to the server's own time. */
export const previewGoal = { kind: 'within', times: 1.3, plusMs: 3 } as const;

export const bench: Bench = {
  name: 'preview',
  claim: 'a warm preview_edit over MCP costs little more than the change and pull it rests on',
  goal: previewGoal,
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming two servers`);
      await using server = await RawServer.start(workspace, 'pull', signal);
      await server.openWith(workspace.breaking.path, workspace.breaking.text);
      await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
      await connection.call('start_lsp', { root_dir: workspace.root, language_id: language });
      const missed = { ours: new Misses(), beside: new Misses() };
      const { ours, beside } = await sampleInTurn(
        {
          ours: previewOverMcp(connection, workspace, missed.ours),
          beside: changeAndPull(server, workspace, missed.beside),
        },
        { warmUp: 30, rounds: 200 },
        signal,
      );
      yield {
        kind: 'measured',
        what: `${language}, ${workspace.files} files, over MCP stdio`,
        ours,
        beside: { what: 'raw change + pull', measurement: beside },
        note: missed.beside.reported('raw'),
        shortfall: missed.ours.reported('ours'),
      };
    }
  },
};
