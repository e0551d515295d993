/**
 * `npm run bench -- queue`: what it costs to have a change judged on a worker, and what more workers give.
 *
 * Everything runs on this machine: the workers share its cores with Redis and with the caller. What more machines would
 * give is a simulation with the measured times, and says so.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Log } from '../src/base/log.ts';
import type { EvaluationOutcome } from '../src/evaluation/evaluator.ts';
import type { QueuedEvaluator } from '../src/queue/queued-evaluator.ts';
import { mapConcurrently } from '../src/workspace/concurrency.ts';
import { QueueTrial, type TrialRepository } from '../test/support/queue-trial.ts';
import { hasRedis } from '../test/support/redis-server.ts';
import type { Bench, Line } from './bench.ts';
import { simulateScale } from './scale-simulation.ts';
import { measurementOf, sampleInTurn, timed } from './support/measurement.ts';
import { chain, chainModules, type QueueShape, queueShapes } from './support/queue-shape.ts';

const information = { kind: 'none' } as const;
const rankedPatches = 100;
const batch = 60;
const maxSimulatedJobs = 60_000;

export const bench: Bench = {
  name: 'queue',
  claim: 'a change judged on a warm worker costs little more than on this machine',
  goal: { kind: 'within', times: 1.5, plusMs: 60 },
  async *run(context, signal) {
    if (!hasRedis) {
      yield { kind: 'skipped', what: 'all of it', why: 'redis-server is not installed (scripts/provision)' };
      return;
    }
    context.progress('a job beside the same evaluation here');
    const { line, warmMs } = await overhead(signal);
    yield line;
    let coldMs = 0;
    for (const shape of queueShapes) {
      if (shape.program !== undefined && !isInstalled(shape.program)) {
        yield { kind: 'skipped', what: shape.name, why: `${shape.program} is not installed` };
        continue;
      }
      context.progress(`near commits and new workers in turn: ${shape.name}`);
      const measured = await commits(shape, shape === chain ? 6 : 4, signal);
      if (shape === chain) coldMs = measured.coldMs;
      yield measured.line;
    }
    for (const workers of [1, 2, 4]) {
      context.progress(`${batch} jobs on ${workers} workers`);
      yield* throughput(workers, signal);
    }
    for (const workers of [10, 100, 1000]) yield simulated(workers, { warmMs, coldMs });
  },
};

async function overhead(signal: AbortSignal): Promise<{ readonly line: Line; readonly warmMs: number }> {
  await using trial = await QueueTrial.open();
  const { origin, clones } = await trial.repository('chain', [chain.files]);
  await trial.worker(['--repository', origin, '--concurrency', '1']);
  const queued = await trial.evaluator();
  const root = clones[0] ?? '';
  const ask = async (number: number) =>
    queued.evaluate(await trial.request(root, chain.change(number)), signal);
  const here = async (number: number) => trial.local(await trial.request(root, chain.change(number)));
  const { ours, beside } = await sampleInTurn(
    {
      ours: (round) => timed(() => ask(round)),
      beside: (round) => timed(() => here(round)),
    },
    { warmUp: 5, rounds: 25 },
    signal,
  );
  const kilobytes = (queued.sentBytes / 1024 / 30).toFixed(1);
  const line = {
    kind: 'measured',
    what: `one change to ${chainModules} modules, on a warm worker`,
    ours,
    beside: { what: 'in this process, warm', measurement: beside },
    note: `${(ours.median - beside.median).toFixed(0)} ms and ${kilobytes} kB sent for each job`,
  } as const;
  return { line, warmMs: ours.median };
}

interface CommitTimes {
  readonly line: Line;
  readonly coldMs: number;
}

/**
 * In turn workers that have a mirror and nothing else, and the next commit on the same worker; after that a commit that the
 * mirror does not have yet. The caller moves one clone from commit to commit, and pushes each.
 *
 * What it takes to be warm is the time of a first job beyond that of a job on a warm checkout: the evaluation itself and
 * the way through the queue are in all of them.
 */
async function commits(shape: QueueShape, rounds: number, signal: AbortSignal): Promise<CommitTimes> {
  const known = 2 * rounds;
  const history = Array.from({ length: known + rounds }, (_, number) =>
    number === 0 ? shape.files : shape.commit(number),
  );
  await using trial = await QueueTrial.open();
  const { origin, clone, commits: ids } = await trial.history('shape', history);
  const { queued, warmths } = await listening(trial);
  const verdicts: string[] = [];
  const start = () => trial.worker(['--repository', origin, '--concurrency', '1']);
  // No two jobs are the same: an answer is kept.
  let asked = 2;
  const ask = async (commit: number, kind: 'clean' | 'broken') => {
    asked += asked % 2 === (kind === 'clean' ? 0 : 1) ? 2 : 1;
    await trial.publish(clone, ids[commit] ?? '');
    const request = await trial.request(clone, shape.change(asked));
    let outcome: EvaluationOutcome | undefined;
    const elapsedMs = await timed(async () => {
      outcome = await queued.evaluate(request, signal);
    });
    const verdict = outcome?.kind === 'evaluated' ? outcome.verdict.kind : 'none';
    verdicts.push(`${warmths.at(-1)} ${verdict === kind ? 'right' : `${verdict} for ${kind}`}`);
    return elapsedMs;
  };
  const first = await start();
  for (let commit = 0; commit < known; commit++) await ask(commit, 'clean');
  await first.stop();
  verdicts.length = 0;
  const taken = {
    cold: [] as number[],
    near: [] as number[],
    warm: [] as number[],
    fetched: [] as number[],
  };
  for (let round = 0; round < rounds; round++) {
    const worker = await start();
    taken.cold.push(await ask(2 * round, 'broken'));
    // After its first answer a server may still be busy with its start; a second job finds it as it stays.
    await ask(2 * round, 'broken');
    taken.near.push(await ask(2 * round + 1, 'broken'));
    taken.warm.push(await ask(2 * round, 'broken'));
    taken.fetched.push(await ask(known + round, 'broken'));
    await worker.stop();
  }
  const expected = ['cold', 'warm', 'near', 'warm', 'near'];
  const isRight = verdicts.every((said, index) => said === `${expected[index % 5]} right`);
  // A difference below a millisecond is none that was measured.
  const beyondWarm = (times: readonly number[]) =>
    measurementOf(
      times.map((elapsedMs, round) => Math.max(1, elapsedMs - (taken.warm[round] ?? 0))),
      'ms',
    );
  const line = {
    kind: 'measured',
    what: `until a near commit is warm, ${shape.name}`,
    ours: beyondWarm(taken.near),
    beside: { what: 'until a worker without checkout and server is', measurement: beyondWarm(taken.cold) },
    goal: { kind: 'faster', times: 10 },
    note: `first job of a near commit ${medianOf(taken.near)} ms, of a new worker ${medianOf(taken.cold)} ms, of a near commit that is fetched first ${medianOf(taken.fetched)} ms; a job on the warm checkout ${medianOf(taken.warm)} ms`,
    ...(!isRight && { shortfall: verdicts.join(', ') }),
  } as const;
  return { line, coldMs: measurementOf(taken.cold, 'ms').median };
}

async function* throughput(workers: number, signal: AbortSignal): AsyncGenerator<Line> {
  await using trial = await QueueTrial.open();
  const repositories: TrialRepository[] = [];
  for (const name of ['one', 'two', 'three']) repositories.push(await trial.repository(name, [chain.files]));
  const words = repositories.flatMap(({ origin }) => ['--repository', origin]);
  const names = Array.from({ length: workers }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => trial.worker([...words, '--name', name, '--concurrency', '1'])));
  const { queued, warmths } = await listening(trial);
  const ask = async (number: number) => {
    const root = repositories[number % repositories.length]?.clones[0] ?? '';
    await queued.evaluate(await trial.request(root, chain.change(number)), signal);
  };
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  await mapConcurrently(numbers(0, 30), 12, ask);
  warmths.length = 0;
  const elapsedMs = await timed(() => mapConcurrently(numbers(1000, batch), 12, ask));
  const warm = warmths.filter((warmth) => warmth !== 'cold').length;
  yield {
    kind: 'measured',
    what: `${batch} jobs over three repositories, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    ours: measurementOf([elapsedMs], 'ms'),
    goal: information,
    note: `${((batch * 1000) / elapsedMs).toFixed(1)} jobs a second on ${availableParallelism()} cores, ${Math.round((100 * warm) / warmths.length)} % on a warm checkout`,
    ...(warm < 0.9 * warmths.length && { shortfall: 'less than 90 % of the jobs met a warm checkout' }),
  };
  if (workers !== 2) return;
  const startedAt = performance.now();
  let firstMs: number | undefined;
  await mapConcurrently(numbers(5000, rankedPatches), rankedPatches, async (number) => {
    await ask(number);
    firstMs ??= performance.now() - startedAt;
  });
  yield {
    kind: 'measured',
    what: `first result of a ranking of ${rankedPatches} patches, ${workers} workers`,
    ours: measurementOf([firstMs ?? Number.NaN], 'ms'),
    beside: {
      what: 'the last one',
      measurement: measurementOf([performance.now() - startedAt], 'ms'),
    },
    goal: information,
  };
}

function medianOf(values: readonly number[]): string {
  return measurementOf(values, 'ms').median.toFixed(0);
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
}

function simulated(
  workers: number,
  { warmMs, coldMs }: { readonly warmMs: number; readonly coldMs: number },
): Line {
  const question = {
    workers,
    repositories: workers * 2,
    // Thirty of a hundred places are busy if all jobs are warm.
    jobsPerMinute: (0.3 * workers * 60_000) / warmMs,
    minutes: Math.min(4, (maxSimulatedJobs * warmMs) / (0.3 * workers * 60_000)),
    warmMs,
    coldMs,
    checkouts: 4,
  };
  const { latencies, warmShare, load } = simulateScale(question);
  return {
    kind: 'measured',
    what: `simulation: ${workers} workers, ${question.repositories} repositories, ${Math.round(question.jobsPerMinute / 60)} jobs a second`,
    ours: measurementOf(latencies, 'ms'),
    goal: information,
    note: `simulated: ${Math.round(warmShare * 100)} % warm, workers busy ${Math.round(load * 100)} % of the time`,
  };
}

/** An evaluator that notes what the workers had ready for each job. */
async function listening(
  trial: QueueTrial,
): Promise<{ readonly queued: QueuedEvaluator; readonly warmths: string[] }> {
  const warmths: string[] = [];
  const log = new Log(({ event, fields }) => {
    if (event === 'queue.answered') warmths.push(String(fields.warmth));
  });
  return { queued: await trial.evaluator({ log }), warmths };
}
