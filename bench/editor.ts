/** `npm run bench -- editor`: what the person who types waits for. */
import type { Bench } from './bench.ts';
import { type FoundDependents, pullDependents } from './dependents.ts';
import { pageLines } from './editor-page.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';
import type { SampleEdit } from './support/sample-edit.ts';
import { TypedEditor } from './support/typed-editor.ts';

/** The pause in typing after which a check begins, and the way to the page and back. */
const pauseMs = 150;

/** The pause in which keys are measured together, and the way to the page and back. */
const quietMs = 60;

export const bench: Bench = {
  name: 'editor',
  claim:
    'the verdict of unsaved text follows a pause in typing within the time the raw server needs for the same files',
  goal: { kind: 'within', times: 1.3, plusMs: pauseMs },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming two servers`);
      await using server = await RawServer.start(workspace, 'pull', signal);
      await server.openWith(workspace.coreChange.path, workspace.coreChange.text);
      await using typed = await TypedEditor.open(workspace, signal);
      const found: FoundDependents = { ours: new Set(), beside: new Set() };
      const mustOpen = language === 'python';
      const { ours, beside } = await sampleInTurn(
        { ours: typed.toVerdict(found), beside: pullDependents(server, workspace, { mustOpen, found }) },
        { warmUp: 3, rounds: language === 'typescript' ? 25 : 9 },
        signal,
      );
      const wanted = workspace.leaves.length;
      const wrong = [...found.ours, ...found.beside].filter((count) => count !== wanted);
      yield {
        kind: 'measured',
        what: `${language}: last key to the verdict of ${wanted} of ${workspace.files} files`,
        ours,
        beside: { what: mustOpen ? 'raw change, open + pull' : 'raw change + pull', measurement: beside },
        note: `found ${[...found.ours].join(', ')} of ${wanted}; ours includes the pause of 120 ms`,
        ...(wrong.length > 0 && { shortfall: `not every answer found all ${wanted}` }),
      };
      const { breaking } = workspace;
      await server.openWith(breaking.path, breaking.text);
      const counts = { ours: new Set<number>(), beside: new Set<number>() };
      const keys = await sampleInTurn(
        {
          ours: await typed.toDiagnostics(breaking, counts.ours),
          beside: pullOne(server, breaking, counts.beside),
        },
        { warmUp: 3, rounds: 25 },
        signal,
      );
      const errors = [...counts.ours, ...counts.beside];
      yield {
        kind: 'measured',
        what: `${language}: last key to the diagnostics of its file`,
        ours: keys.ours,
        beside: { what: 'raw change + pull', measurement: keys.beside },
        goal: { kind: 'within', times: 1.3, plusMs: quietMs },
        note: `ours includes the pause of 40 ms in which keys are measured together`,
        ...(errors.some((count) => count !== 1) && { shortfall: `errors found: ${errors.join(', ')}` }),
      };
    }
    yield* pageLines(context, signal);
  },
};

function pullOne(server: RawServer, edit: SampleEdit, counts: Set<number>): Sampler {
  return async (round) => {
    const elapsedMs = await timed(async () => {
      await server.apply(edit, round);
      counts.add(await server.pull(edit.path));
    });
    await server.revert(edit, round);
    return elapsedMs;
  };
}
