/** `npm run bench -- preview-in-process`: the same preview without the door. */
import { World } from '../test/support/world.ts';
import type { Bench } from './bench.ts';
import { sampleInTurn } from './support/measurement.ts';
import { changeAndPull, Misses, previewInProcess } from './support/preview.ts';
import { RawServer } from './support/raw-server.ts';

export const bench: Bench = {
  name: 'preview-in-process',
  claim:
    'a session made, edited, evaluated and destroyed costs little more than the change and pull it rests on',
  goal: { kind: 'within', times: 1.3, plusMs: 3 },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming two servers`);
      await using server = await RawServer.start(workspace, 'pull', signal);
      await server.openWith(workspace.breaking.path, workspace.breaking.text);
      await using world = await World.open({}, { root: workspace.root });
      const missed = { ours: new Misses(), beside: new Misses() };
      const { ours, beside } = await sampleInTurn(
        {
          ours: previewInProcess(world, workspace, missed.ours),
          beside: changeAndPull(server, workspace, missed.beside),
        },
        { warmUp: 30, rounds: 200 },
        signal,
      );
      yield {
        kind: 'measured',
        what: `${language}, ${workspace.files} files, in process`,
        ours,
        beside: { what: 'raw change + pull', measurement: beside },
        note: missed.beside.reported('raw'),
        shortfall: missed.ours.reported('ours'),
      };
    }
  },
};
