/** `npm run bench -- pool`: what a second replica gives on two free cores. */
import { availableParallelism } from 'node:os';
import { World } from '../test/support/world.ts';
import type { Bench } from './bench.ts';
import { CpuMeter } from './support/cpu-meter.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { rangeOf } from './support/sample-edit.ts';

export const sessionCount = 8;

export const bench: Bench = {
  name: 'pool',
  claim: `${sessionCount} sessions with contradictory edits, evaluated at once, go through a pool of 2 nearly twice as fast`,
  goal: { kind: 'faster', times: 1.7 },
  async *run(context, signal) {
    for (const language of ['python', 'typescript'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming three servers`);
      await using one = await World.open({}, { root: workspace.root, poolSize: 1 });
      await using two = await World.open({}, { root: workspace.root, poolSize: 2 });
      const meter = new CpuMeter();
      const wrong = new Set<number>();
      const { ours, beside } = await sampleInTurn(
        {
          ours: evaluateAtOnce(two, workspace, { wrong }),
          beside: evaluateAtOnce(one, workspace, { wrong, meter }),
        },
        { warmUp: 2, rounds: language === 'typescript' ? 15 : 7 },
        signal,
      );
      const { own, servers, others } = meter.cores();
      const free = availableParallelism() - others;
      yield {
        kind: 'measured',
        what: `${language}, ${sessionCount} sessions at once, pool of 2`,
        ours,
        beside: { what: 'pool of 1', measurement: beside },
        note: [
          `${free.toFixed(1)} of ${availableParallelism()} cores free`,
          `with one replica the server keeps ${servers.toFixed(1)} busy and this process ${own.toFixed(1)}`,
        ].join(', '),
        // A second replica has nothing to run on where others keep the cores busy.
        ...(free < 1.7 && { goal: { kind: 'none' } }),
        ...(wrong.size > 0 && { shortfall: 'a session was told of an edit that is not its own' }),
      };
    }
  },
};

/** Every session edits the same modules in a way of its own and is judged over everything it reaches. */
export function evaluateAtOnce(
  world: World,
  workspace: GeneratedWorkspace,
  options: { readonly wrong: Set<number>; readonly meter?: CpuMeter },
): Sampler {
  const { signal } = new AbortController();
  const [edit] = workspace.patch;
  if (edit === undefined) throw new Error('the patch is empty');
  return async (round) => {
    const sessions = await Promise.all(
      Array.from({ length: sessionCount }, async (_, at) => {
        const session = await world.session(workspace.language);
        const newText = edit.replacement(round * sessionCount + at);
        await session.edit(world.workspace.path(edit.path), { range: rangeOf(edit), newText }, signal);
        return session;
      }),
    );
    const pids = world.executor.pools.flatMap(({ replicas }) =>
      replicas.map(({ server }) => server.pid ?? 0),
    );
    options.meter?.start(pids);
    const elapsedMs = await timed(async () => {
      const evaluations = await Promise.all(
        sessions.map((session) => session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal)),
      );
      for (const [at, { introduced }] of evaluations.entries())
        if (introduced.length !== 1) options.wrong.add(at);
    });
    options.meter?.stop();
    for (const { id } of sessions) await world.sessions.destroy(id);
    return elapsedMs;
  };
}
