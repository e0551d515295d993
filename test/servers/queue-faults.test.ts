import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { KnownRepository } from '../../src/git/known-repository.ts';
import { version } from '../../src/host/version.ts';
import { type Answer, parseAnswer } from '../../src/queue/answer.ts';
import { type Job, jobIdOf } from '../../src/queue/job.ts';
import { QueueLink } from '../../src/queue/queue-link.ts';
import { channels, QueueStore } from '../../src/queue/queue-store.ts';
import { queueNameOf, repositoryIdentity } from '../../src/queue/repository-identity.ts';
import { jobRequestOf, treeState } from '../../src/queue/request-job.ts';
import { Seal } from '../../src/queue/seal.ts';
import { gitIn } from '../support/git-workspace.ts';
import { QueueTrial, queueSecret, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
import { calm } from '../support/world.ts';

const broken = 'export function sum(a: string, b: number): string {\n  return a + b;\n}\n';
const seal = new Seal(queueSecret);

/** Puts a job on a queue by hand, as anybody with access to Redis can, and waits for what a worker says. */
async function put(
  trial: QueueTrial,
  { repository, id, data }: { readonly repository: string; readonly id: string; readonly data: unknown },
): Promise<Answer> {
  await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
  const store = new QueueStore(link.redis);
  await store.join(id, 'test');
  await link.queue(queueNameOf(repository)).add('evaluate', data, { jobId: id, removeOnComplete: true });
  await store.publish(channels.wake, repository);
  const sealed = await until(async () => {
    const found = await store.answer(id);
    if (found === undefined) throw new Error('no answer yet');
    return found.sealed;
  });
  return parseAnswer(seal.open('answer', id, sealed) ?? '').answer;
}

async function jobOf(trial: QueueTrial, root: string): Promise<{ readonly id: string; readonly job: Job }> {
  const request = await trial.request(root, { 'src/sum.ts': broken });
  const asked = await jobRequestOf(request, {
    state: await treeState(root, new KnownRepository(root, trial.env()), calm),
  });
  const content = {
    repository: asked.repository,
    layers: asked.layers.map((layer) => ({ kind: 'inline', text: JSON.stringify(layer) }) as const),
    unsent: { kind: 'inline', text: JSON.stringify(asked.unsent) } as const,
    request: { ...asked.request },
  };
  const job: Job = {
    protocol: 1,
    version,
    ...content,
    deadlineMs: 60_000,
    caller: 'x',
    priority: 'agent',
  };
  return { id: jobIdOf(content), job };
}

/** Waits until so many jobs of a clone's repository are in the queue. */
async function inQueue(trial: QueueTrial, root: string, count: number): Promise<void> {
  await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
  const { repository } = (await jobOf(trial, root)).job;
  const queue = link.queue(queueNameOf(repository.identity));
  await until(async () => expect(await queue.getJobCountByTypes('wait', 'prioritized')).toBe(count));
}

async function checkouts(trial: QueueTrial): Promise<readonly string[]> {
  const home = join(trial.directory, 'cache', 'forerun', 'checkouts');
  const workers = await readdir(home);
  return (await Promise.all(workers.map((name) => readdir(join(home, name))))).flat();
}

describe.skipIf(!hasRedis)('what a worker refuses (redis-server is needed)', () => {
  test('a job that is not signed, of another protocol, or of a repository that is not allowed reaches no git', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const other = await trial.repository('other', [typescriptFiles]);
    await using worker = await trial.workerHere(origin);
    const repository = repositoryIdentity(origin);
    const { id, job } = await jobOf(trial, clones[0] ?? '');
    const foreign = await jobOf(trial, other.clones[0] ?? '');
    const sealedUnder = (secret: string, name: string, given: unknown) =>
      new Seal(secret).close('job', name, JSON.stringify(given));
    const cases: readonly (readonly [string, unknown, string])[] = [
      ['jx1', { protocol: 1, sealed: JSON.stringify(job) }, 'queue/not-signed'],
      [
        'jx2',
        { protocol: 1, sealed: sealedUnder('a stranger with another secret', 'jx2', job) },
        'queue/not-signed',
      ],
      ['jx3', { protocol: 1, sealed: sealedUnder(queueSecret, id, job) }, 'queue/not-signed'],
      ['jx4', { protocol: 2, sealed: sealedUnder(queueSecret, 'jx4', job) }, 'queue/protocol-mismatch'],
      [
        'jx5',
        { protocol: 1, sealed: sealedUnder(queueSecret, 'jx5', { ...job, protocol: 2 }) },
        'queue/protocol-mismatch',
      ],
      [
        'jx6',
        { protocol: 1, sealed: sealedUnder(queueSecret, 'jx6', { ...job, layers: [] }) },
        'queue/malformed-job',
      ],
      [
        'jx7',
        { protocol: 1, sealed: sealedUnder(queueSecret, 'jx7', foreign.job) },
        'queue/repository-not-allowed',
      ],
      ['jx8', 'text', 'queue/not-signed'],
      [
        'jx9',
        { protocol: 1, sealed: sealedUnder(queueSecret, 'jx9', { ...job, version: '0.0.1' }) },
        'queue/version-mismatch',
      ],
    ];
    for (const [name, data, code] of cases)
      expect(await put(trial, { repository, id: name, data }), name).toMatchObject({ kind: 'failure', code });
    expect(await checkouts(trial)).toEqual([]);
    expect(worker.metricsText()).toContain('forerun_worker_evaluations_total{ready="cold"} 0');
  });

  test('a job that rests on other files than the commit has is stale, never judged', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await using _worker = await trial.workerHere(origin);
    const { job } = await jobOf(trial, clones[0] ?? '');
    const restsOn = [{ path: 'src/sum.ts', hash: 'a'.repeat(64) }];
    const changed = { ...job, request: { ...job.request, restsOn } };
    const data = { protocol: 1, sealed: seal.close('job', 'jstale', JSON.stringify(changed)) };
    const answer = await put(trial, { repository: repositoryIdentity(origin), id: 'jstale', data });
    expect(answer).toMatchObject({ kind: 'outcome', outcome: { kind: 'stale', paths: ['src/sum.ts'] } });
  });

  test('a link in the repository does not lead a job out of it', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await symlink('/etc', join(root, 'out'));
    await gitIn(root, 'checkout', '-q', '-b', 'linked');
    await gitIn(root, 'add', '-A');
    await gitIn(root, 'commit', '-q', '-m', 'a link');
    await gitIn(root, 'push', '-q', 'origin', 'linked');
    await using _worker = await trial.workerHere(origin);
    const { job } = await jobOf(trial, root);
    const changed = { ...job, repository: { ...job.repository, directory: 'out' } };
    const data = { protocol: 1, sealed: seal.close('job', 'jlink', JSON.stringify(changed)) };
    expect(await put(trial, { repository: repositoryIdentity(origin), id: 'jlink', data })).toMatchObject({
      kind: 'failure',
      code: 'queue/malformed-job',
      message: 'out leads out of the repository',
    });
  });

  test('a job that crashes the server every time is given up by name, and the next job is answered', async () => {
    await using trial = await QueueTrial.open();
    const files = { 'a.scripted': 'word\n', ...typescriptFiles };
    const { origin, clones } = await trial.repository('sums', [files]);
    const crashing = scriptedDefinition({ crashOn: { method: 'textDocument/diagnostic' } });
    await using worker = await trial.workerHere(origin, { definitions: [crashing] });
    const queued = await trial.evaluator();
    const root = clones[0] ?? '';
    const poisoned = queued.evaluate(await trial.request(root, { 'a.scripted': 'error here\n' }), calm);
    await expect(poisoned).rejects.toMatchObject({ code: 'queue/poisoned-job' });
    expect(worker.metricsText()).toContain('forerun_worker_jobs_total{end="retried"} 2');
    const next = await queued.evaluate(await trial.request(root, { 'README.md': 'words\n' }), calm);
    expect(next).toMatchObject({ kind: 'evaluated', worker: 'here' });
  });
});

describe.skipIf(!hasRedis)('what a caller is told (redis-server is needed)', () => {
  test('that no worker serves its repository', async () => {
    await using trial = await QueueTrial.open();
    const { clones } = await trial.repository('sums', [typescriptFiles]);
    const queued = await trial.evaluator({ workerStartMs: 0 });
    const request = await trial.request(clones[0] ?? '', { 'src/sum.ts': broken });
    await expect(queued.evaluate(request, calm)).rejects.toMatchObject({
      code: 'queue/no-worker',
      message: expect.stringContaining('no worker is running'),
    });
  });

  test('that the queue is full', async () => {
    await using trial = await QueueTrial.open('--maxmemory', '2mb', '--maxmemory-policy', 'noeviction');
    const { clones } = await trial.repository('sums', [typescriptFiles]);
    const queued = await trial.evaluator();
    const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('\n');
    const request = await trial.request(clones[0] ?? '', { 'src/noise.txt': noise });
    await expect(queued.evaluate(request, calm)).rejects.toMatchObject({ code: 'queue/full' });
  });

  test('that it has too many jobs in the queue', async () => {
    await using trial = await QueueTrial.open();
    const { clones } = await trial.repository('sums', [typescriptFiles]);
    const limited = { callerJobs: 1, workerStartMs: 60_000 };
    const first = await trial.evaluator(limited);
    const second = await trial.evaluator({ ...limited, deadlineMs: 1500 });
    const root = clones[0] ?? '';
    const leaving = new AbortController();
    const waiting = first.evaluate(await trial.request(root, { 'src/sum.ts': broken }), leaving.signal);
    await inQueue(trial, root, 1);
    const refused = second.evaluate(await trial.request(root, { 'src/sum.ts': `${broken}//\n` }), calm);
    await expect(refused).rejects.toMatchObject({ code: 'queue/quota' });
    leaving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await inQueue(trial, root, 0);
  });

  test('that an answer was not signed with its secret', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator({ secret: 'another secret than that of the worker' });
    const request = await trial.request(clones[0] ?? '', { 'src/sum.ts': broken });
    await expect(queued.evaluate(request, calm)).rejects.toMatchObject({ code: 'queue/not-signed' });
  });
});

describe.skipIf(!hasRedis)('a job in the hands of a worker (redis-server is needed)', () => {
  test('stops when its last caller gives up, and not before', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [{ 'a.scripted': 'word\n' }]);
    const silent = scriptedDefinition({ neverAnswers: ['textDocument/diagnostic'] });
    await using worker = await trial.workerHere(origin, { definitions: [silent] });
    const [one, other] = await Promise.all([trial.evaluator(), trial.evaluator()]);
    const request = await trial.request(clones[0] ?? '', { 'a.scripted': 'other\n' });
    const first = new AbortController();
    const second = new AbortController();
    const heard: string[] = [];
    const listening = { ...request, onProgress: (message: string) => void heard.push(message) };
    const asked = [one.evaluate(listening, first.signal), other.evaluate(request, second.signal)] as const;
    await until(() => expect(heard).toContain('asking scripted'));
    first.abort(new Error('enough'));
    await expect(asked[0]).rejects.toThrow('enough');
    expect(worker.metricsText()).toContain('forerun_worker_running 1');
    second.abort(new Error('enough'));
    await expect(asked[1]).rejects.toThrow('enough');
    await until(() => expect(worker.metricsText()).toContain('forerun_worker_running 0'));
    expect(worker.metricsText()).toContain('forerun_worker_jobs_total{end="cancelled"} 1');
  });

  test('is done once for two callers that ask the same', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await using worker = await trial.workerHere(origin);
    const evaluators = await Promise.all([trial.evaluator(), trial.evaluator({ caller: 'other' })]);
    const request = await trial.request(clones[0] ?? '', { 'src/sum.ts': broken });
    const answers = await Promise.all(evaluators.map((queued) => queued.evaluate(request, calm)));
    expect(answers[0]).toEqual(answers[1]);
    expect(await evaluators[0]?.evaluate(request, calm)).toEqual(answers[0]);
    expect(worker.metricsText()).toContain('forerun_worker_jobs_total{end="answered"} 1');
  });

  test('goes to another worker when its own is asked to end', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const first = await trial.worker(['--repository', origin, '--name', 'first', '--metrics-port', '0']);
    const metrics = await fetch(`${first.said.metrics}/metrics`);
    expect(await metrics.text()).toContain('# TYPE forerun_worker_jobs_total counter');
    expect((await fetch(`${first.said.metrics}/ready`)).status).toBe(200);
    const queued = await trial.evaluator();
    const asked = queued.evaluate(await trial.request(clones[0] ?? '', { 'src/sum.ts': broken }), calm);
    expect(await first.stop()).toBe(143);
    const second = await trial.worker(['--repository', origin, '--name', 'second']);
    expect(await asked).toMatchObject({
      verdict: { kind: 'broken' },
      worker: expect.stringMatching(/first|second/),
    });
    expect(await second.stop()).toBe(143);
  });
});
