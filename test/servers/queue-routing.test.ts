import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { JobPriority } from '../../src/queue/job.ts';
import { keyPrefix, QueueLink } from '../../src/queue/queue-link.ts';
import { queueNameOf, repositoryIdentity } from '../../src/queue/repository-identity.ts';
import { Seal } from '../../src/queue/seal.ts';
import { QueueTrial, queueSecret, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
import { calm } from '../support/world.ts';

const broken = 'export function sum(a: string, b: number): string {\n  return a + b;\n}\n';
const seal = new Seal(queueSecret);

/** Waits until so many jobs of the repositories wait for a worker. */
async function waiting(trial: QueueTrial, origins: readonly string[], count: number): Promise<void> {
  await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
  const queues = origins.map((origin) => link.queue(queueNameOf(repositoryIdentity(origin))));
  await until(async () => {
    const counts = await Promise.all(queues.map((queue) => queue.getJobCountByTypes('wait', 'prioritized')));
    expect(counts.reduce((sum, each) => sum + each)).toBe(count);
  });
}

describe.skipIf(!hasRedis)('the order of jobs (redis-server is needed)', () => {
  test('a person comes before an agent and an agent before a batch, also across repositories', async () => {
    await using trial = await QueueTrial.open();
    const one = await trial.repository('one', [typescriptFiles]);
    const two = await trial.repository('two', [typescriptFiles]);
    const origins = [one.origin, two.origin];
    const answered: string[] = [];
    const ask = async (priority: JobPriority, root: string, number: number) => {
      const queued = await trial.evaluator({ priority });
      await queued.evaluate(await trial.request(root, { 'README.md': `${priority} ${number}\n` }), calm);
      answered.push(priority);
    };
    const [first = '', second = ''] = [one.clones[0], two.clones[0]];
    const asked: Promise<void>[] = [];
    const plan: readonly (readonly [JobPriority, string])[] = [
      ...Array.from({ length: 4 }, (_, index) => ['batch', index % 2 === 0 ? first : second] as const),
      ['agent', second],
      ['agent', first],
      ['person', second],
      ['person', first],
    ];
    for (const [index, [priority, root]] of plan.entries()) {
      asked.push(ask(priority, root, index));
      await waiting(trial, origins, index + 1);
    }
    await using _worker = await trial.workerHere(one.origin, { repositories: origins });
    await Promise.all(asked);
    expect(answered).toEqual(['person', 'person', 'agent', 'agent', 'batch', 'batch', 'batch', 'batch']);
  });

  test('a caller adds no more jobs in a minute than it may', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator({ callerJobsPerMinute: 2 });
    const hurried = await trial.evaluator({ callerJobsPerMinute: 2, deadlineMs: 1500 });
    const stranger = await trial.evaluator({ callerJobsPerMinute: 2, caller: 'another' });
    const asked = (number: number) => trial.request(clones[0] ?? '', { 'README.md': `${number}\n` });
    for (const number of [1, 2, 2, 1]) await queued.evaluate(await asked(number), calm);
    await expect(hurried.evaluate(await asked(3), calm)).rejects.toMatchObject({ code: 'queue/rate-limit' });
    expect(await stranger.evaluate(await asked(3), calm)).toMatchObject({ kind: 'evaluated' });
  });

  test('a worker that stops gives its job back, and another one answers it', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [{ 'a.scripted': 'word\n' }]);
    const silent = scriptedDefinition({ neverAnswers: ['textDocument/diagnostic'] });
    const first = await trial.workerHere(origin, { name: 'first', definitions: [silent] });
    const queued = await trial.evaluator();
    const heard: string[] = [];
    const request = await trial.request(clones[0] ?? '', { 'a.scripted': 'other\n' });
    const onProgress = (message: string) => void heard.push(message);
    const asked = queued.evaluate({ ...request, onProgress }, calm);
    await until(() => expect(heard).toContain('asking scripted'));
    await first[Symbol.asyncDispose]();
    expect(first.metricsText()).toContain('forerun_worker_jobs_total{end="returned"} 1');
    await waiting(trial, [origin], 1);
    await using _second = await trial.workerHere(origin, {
      name: 'second',
      definitions: [scriptedDefinition({})],
    });
    expect(await asked).toMatchObject({ kind: 'evaluated', worker: 'second' });
  });
});

describe.skipIf(!hasRedis)('what lies in Redis (redis-server is needed)', () => {
  test('a large common part is sent once, however many jobs use it, and expires', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator();
    const noise = Array.from({ length: 4000 }, (_, index) => `export const a${index} = ${Math.random()};`);
    const large = { 'src/large.ts': `${noise.join('\n')}\n` };
    const sizes: number[] = [];
    for (const timeoutMs of [60_000, 61_000, 62_000]) {
      const before = queued.sentBytes;
      const answer = await queued.evaluate({ ...(await trial.request(root, large)), timeoutMs }, calm);
      expect(answer).toMatchObject({ kind: 'evaluated', verdict: { kind: 'clean' } });
      sizes.push(queued.sentBytes - before);
    }
    expect(sizes[0]).toBeGreaterThan(20_000);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(4000);
    await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
    const blobs = await link.redis.keys(`${keyPrefix}:blob:*`);
    expect(blobs).toHaveLength(1);
    for (const key of blobs) expect(await link.redis.ttl(key)).toBeGreaterThan(0);
  });

  test.each([
    ['was lost', 'del'],
    ['was replaced by a stranger', 'set'],
  ] as const)('a part that %s is sent again', async (_, how) => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const queued = await trial.evaluator();
    const noise = Array.from({ length: 1000 }, (_item, index) => `export const a${index} = ${index};\n`);
    const request = await trial.request(clones[0] ?? '', { 'src/large.ts': noise.join('') });
    const asked = queued.evaluate(request, calm);
    await waiting(trial, [origin], 1);
    await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
    const [key = ''] = await link.redis.keys(`${keyPrefix}:blob:*`);
    if (how === 'del') await link.redis.del(key);
    else await link.redis.set(key, 'not what was stored', 'KEEPTTL');
    await using _worker = await trial.workerHere(origin);
    expect(await asked).toMatchObject({ kind: 'evaluated', verdict: { kind: 'clean' } });
  });

  test('an answer that somebody stores again after it has expired is not taken', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await using worker = await trial.workerHere(origin);
    const queued = await trial.evaluator();
    const request = await trial.request(clones[0] ?? '', { 'src/sum.ts': broken });
    await queued.evaluate(request, calm);
    await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
    const [key = ''] = await link.redis.keys(`${keyPrefix}:answer:*`);
    const kept = (await link.redis.get(key)) ?? '';
    const text = kept.slice(kept.indexOf('.') + 1);
    const { at, ...rest } = JSON.parse(text);
    // The same answer as a worker signed it an hour ago.
    const id = key.slice(`${keyPrefix}:answer:`.length);
    await link.redis.set(key, seal.close('answer', id, JSON.stringify({ ...rest, at: at - 3_600_000 })));
    expect(await queued.evaluate(request, calm)).toMatchObject({ verdict: { kind: 'broken' } });
    expect(worker.metricsText()).toContain('forerun_worker_jobs_total{end="answered"} 2');
  });
});
