/**
 * `npm run bench -- queue`: what it costs to have a change judged on a worker, and what more workers give.
 *
 * Everything runs on this machine: the workers share its cores with Redis and with the caller. What more machines would
 * give is a simulation with the measured times, and says so.
 */
import { availableParallelism } from 'node:os';
import { Log } from '../src/base/log.ts';
import type { QueuedEvaluator } from '../src/queue/queued-evaluator.ts';
import { mapConcurrently } from '../src/workspace/concurrency.ts';
import { QueueTrial, type TrialRepository, typescriptFiles } from '../test/support/queue-trial.ts';
import { hasRedis } from '../test/support/redis-server.ts';
import type { Bench, Line } from './bench.ts';
import { simulateScale } from './scale-simulation.ts';
import { measurementOf, sampleInTurn, timed } from './support/measurement.ts';

const information = { kind: 'none' } as const;
const modules = 300;
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
    context.progress('near and far commits in turn');
    const { near, coldMs } = await commits(signal);
    yield near;
    for (const workers of [1, 2, 4]) {
      context.progress(`${batch} jobs on ${workers} workers`);
      yield* throughput(workers, signal);
    }
    for (const workers of [10, 100, 1000]) yield simulated(workers, { warmMs, coldMs });
  },
};

/** A chain of modules: each uses the one before. */
function files(): Readonly<Record<string, string>> {
  const chain = Array.from(
    { length: modules },
    (_, index) => [`src/m${index}.ts`, moduleText(index, 0)] as const,
  );
  return {
    'tsconfig.json': typescriptFiles['tsconfig.json'],
    'package.json': typescriptFiles['package.json'],
    ...Object.fromEntries(chain),
  };
}

function moduleText(index: number, number: number): string {
  const before = index === 0 ? '' : `import { f${index - 1} } from './m${index - 1}.js';\n`;
  const body = index === 0 ? `a + ${number}` : `f${index - 1}(a) + ${number}`;
  return `${before}export function f${index}(a: number): number {\n  return ${body};\n}\n`;
}

/** A change of its own for each number; every third breaks the module that uses it. */
function change(number: number): Readonly<Record<string, string>> {
  const index = number % (modules - 1);
  const text = moduleText(index, number);
  return { [`src/m${index}.ts`]: number % 3 === 0 ? text.replace('): number', '): string | number') : text };
}

async function overhead(signal: AbortSignal): Promise<{ readonly line: Line; readonly warmMs: number }> {
  await using trial = await QueueTrial.open();
  const { origin, clones } = await trial.repository('chain', [files()]);
  await trial.worker(['--repository', origin, '--concurrency', '1']);
  const queued = await trial.evaluator();
  const root = clones[0] ?? '';
  const ask = async (number: number) => queued.evaluate(await trial.request(root, change(number)), signal);
  const here = async (number: number) => trial.local(await trial.request(root, change(number)));
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
    what: `one change to ${modules} modules, on a warm worker`,
    ours,
    beside: { what: 'in this process, warm', measurement: beside },
    note: `${(ours.median - beside.median).toFixed(0)} ms and ${kilobytes} kB sent for each job`,
  } as const;
  return { line, warmMs: ours.median };
}

/** In turn a commit that changes what the program depends on, which gets a new checkout, and one that does not. */
async function commits(signal: AbortSignal): Promise<{ readonly near: Line; readonly coldMs: number }> {
  const pairs = 6;
  const history = Array.from({ length: pairs }, (_, index) => [
    {
      ...(index === 0 && files()),
      'package.json': `{"name":"sums","type":"module","version":"1.${index}.0"}\n`,
    },
    { 'src/m7.ts': moduleText(7, 1000 + index), 'src/m9.ts': moduleText(9, 1000 + index) },
  ]).flat();
  await using trial = await QueueTrial.open();
  const { origin, clones } = await trial.repository('chain', history);
  await trial.worker(['--repository', origin, '--concurrency', '1', '--checkouts', '1']);
  const { queued, warmths } = await listening(trial);
  const taken = { cold: [] as number[], near: [] as number[] };
  for (const [index, root] of clones.entries()) {
    const request = await trial.request(root, change(index + 1));
    const elapsedMs = await timed(() => queued.evaluate(request, signal));
    const kind = index % 2 === 0 ? 'cold' : 'near';
    if (index > 1) taken[kind].push(elapsedMs);
  }
  const expected = clones.map((_, index) => (index % 2 === 0 ? 'cold' : 'near'));
  const near = {
    kind: 'measured',
    what: 'the first job of a near commit',
    ours: measurementOf(taken.near, 'ms'),
    beside: {
      what: 'of a commit with a new checkout and new servers',
      measurement: measurementOf(taken.cold, 'ms'),
    },
    goal: { kind: 'faster', times: 10 },
    ...(warmths.join() !== expected.join() && { shortfall: `the checkouts were ${warmths.join()}` }),
  } as const;
  return { near, coldMs: measurementOf(taken.cold, 'ms').median };
}

async function* throughput(workers: number, signal: AbortSignal): AsyncGenerator<Line> {
  await using trial = await QueueTrial.open();
  const repositories: TrialRepository[] = [];
  for (const name of ['one', 'two', 'three']) repositories.push(await trial.repository(name, [files()]));
  const words = repositories.flatMap(({ origin }) => ['--repository', origin]);
  const names = Array.from({ length: workers }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => trial.worker([...words, '--name', name, '--concurrency', '1'])));
  const { queued, warmths } = await listening(trial);
  const ask = async (number: number) => {
    const root = repositories[number % repositories.length]?.clones[0] ?? '';
    await queued.evaluate(await trial.request(root, change(number)), signal);
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
