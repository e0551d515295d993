/**
 * `npm run bench -- pool`: what a second replica gives on two free cores.
 *
 * A server that keeps more than one core busy by itself leaves less than a core to a second one, so the goal is
 * derived from what the cores allow (docs/decisions/0010).
 */
import { availableParallelism } from 'node:os';
import { World } from '../test/support/world.ts';
import type { Bench, Goal } from './bench.ts';
import { CpuMeter } from './support/cpu-meter.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { rangeOf } from './support/sample-edit.ts';

export const sessionCount = 8;

/** What is asked where a replica alone leaves a core free. */
const wantedTimes = 1.7;
/**
 * What is asked of the ceiling elsewhere. The rest is the end of a batch, when one replica has run out of work, and what
 * two servers at once cost each other in caches and memory.
 */
const wantedShare = 0.75;
const poolSize = 2;
/** Rounds in which servers start and baselines are measured; none of it counts, as time or as processor time. */
const warmUp = 2;

export const bench: Bench = {
  name: 'pool',
  claim: `${sessionCount} sessions with contradictory edits, evaluated at once, go through a pool of 2 nearly twice as fast`,
  goal: { kind: 'faster', times: wantedTimes },
  async *run(context, signal) {
    for (const language of ['python', 'typescript'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming three servers`);
      await using one = await World.open({}, { root: workspace.root, poolSize: 1 });
      await using two = await World.open({}, { root: workspace.root, poolSize });
      const meters = { one: new CpuMeter(), two: new CpuMeter() };
      const wrong = new Set<number>();
      const { ours, beside } = await sampleInTurn(
        {
          ours: evaluateAtOnce(two, workspace, { wrong, meter: meters.two }),
          beside: evaluateAtOnce(one, workspace, { wrong, meter: meters.one }),
        },
        { warmUp, rounds: language === 'typescript' ? 15 : 7 },
        signal,
      );
      const { goal, reported } = boundsOf(meters, beside.median / ours.median);
      yield {
        kind: 'measured',
        what: `${language}, ${sessionCount} sessions at once, pool of ${poolSize}`,
        ours,
        beside: { what: 'pool of 1', measurement: beside },
        goal,
        note: reported.join(', '),
        ...(wrong.size > 0 && { shortfall: 'a session was told of an edit that is not its own' }),
      };
    }
  },
};

interface Bounds {
  readonly goal: Goal;
  readonly reported: readonly string[];
}

/**
 * The work of one batch, spread evenly over the free cores, takes no less than its processor time over their number;
 * nor do two replicas do more than two can. Where others keep the cores busy a second replica has nothing to run on,
 * and what is free is no bound either, since the scheduler takes from the others: nothing is judged.
 */
function boundsOf(
  { one, two }: { readonly one: CpuMeter; readonly two: CpuMeter },
  reachedTimes: number,
): Bounds {
  const { own, servers, others } = one.cores();
  const cores = availableParallelism();
  const free = cores - Math.max(others, two.cores().others);
  const reported = [
    `${free.toFixed(1)} of ${cores} cores free`,
    `with one replica the server keeps ${servers.toFixed(2)} busy and this process ${own.toFixed(2)}`,
    `the same work costs ${(two.spentMs / one.spentMs).toFixed(2)}x the processor time with two`,
  ];
  if (free < wantedTimes) return { goal: { kind: 'none' }, reported };
  const ceiling = Math.min(poolSize, free / (own + servers));
  const share = (reachedTimes / ceiling).toFixed(2);
  return {
    goal: { kind: 'faster', times: rounded(Math.min(wantedTimes, wantedShare * ceiling)) },
    reported: [...reported, `the cores allow ${ceiling.toFixed(2)}x, of which ${share} was reached`],
  };
}

function rounded(times: number): number {
  return Math.round(times * 100) / 100;
}

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
        const path = world.workspace.path(edit.path);
        await session.edit({ path, edit: { range: rangeOf(edit), newText } }, signal);
        return session;
      }),
    );
    const pids = world.live.servers.pools.flatMap(({ replicas }) =>
      replicas.map(({ server }) => server.pid ?? 0),
    );
    const meter = round < warmUp ? undefined : options.meter;
    meter?.start(pids);
    const elapsedMs = await timed(async () => {
      const evaluations = await Promise.all(
        sessions.map((session) => session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal)),
      );
      for (const [at, { introduced }] of evaluations.entries())
        if (introduced.length !== 1) options.wrong.add(at);
    });
    meter?.stop();
    for (const { id } of sessions) await world.sessions.destroy(id);
    return elapsedMs;
  };
}
