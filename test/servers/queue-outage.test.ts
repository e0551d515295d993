import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { EvaluationOutcome } from '../../src/evaluation/evaluator.ts';
import { QueueLink } from '../../src/queue/queue-link.ts';
import type { QueuedEvaluator } from '../../src/queue/queued-evaluator.ts';
import { runProgram } from '../support/built-program.ts';
import { hasNetworks, QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis, RedisServer } from '../support/redis-server.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
import { calm } from '../support/world.ts';

const breaking = (number: number) => ({
  'src/sum.ts': `export function sum(a: string, b: number): string {\n  return a + b + ${number};\n}\n`,
});

/** Asks, and waits until a worker works on it. */
async function begun(
  trial: QueueTrial,
  queued: QueuedEvaluator,
  { root, files }: { readonly root: string; readonly files: Readonly<Record<string, string>> },
): Promise<{ readonly answer: Promise<EvaluationOutcome>; readonly beginnings: () => number }> {
  let count = 0;
  const onProgress = (message: string) => {
    if (message === 'fetching the commit') count += 1;
  };
  const request = { ...(await trial.request(root, files)), onProgress };
  const answer = queued.evaluate(request, calm);
  answer.catch(() => undefined);
  await until(() => expect(count).toBeGreaterThan(0));
  return { answer, beginnings: () => count };
}

/** Options of Node for a program whose clock is wrong by so many hours. */
function clockOff(hours: number): Readonly<Record<string, string>> {
  const script = `const real = Date; const off = ${hours} * 3600000;
globalThis.Date = class Date extends real {
  constructor(...words) { if (words.length === 0) super(real.now() + off); else super(...words); }
  static now() { return real.now() + off; }
};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

// Each has a Redis and workers of its own, and waits for locks to expire: they wait together.
describe.skipIf(!hasRedis)('an outage (redis-server is needed)', { concurrent: true }, () => {
  test('a job whose workers are killed in the middle is given up after the third, and blocks no other', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    const queued = await trial.evaluator({ deadlineMs: 200_000, workerStartMs: 100_000 });
    const start = (name: string) =>
      trial.worker(['--repository', origin, '--name', name, '--concurrency', '1']);
    await start('w0');
    const { answer, beginnings } = await begun(trial, queued, { root, files: breaking(1) });
    for (const attempt of [1, 2, 3]) {
      await until(() => expect(beginnings()).toBeGreaterThanOrEqual(attempt));
      await trial.workers.at(-1)?.kill();
      await start(`w${attempt}`);
    }
    await expect(answer).rejects.toMatchObject({ code: 'queue/poisoned-job' });
    const next = queued.evaluate(await trial.request(root, breaking(2)), calm);
    expect(await next).toMatchObject({ verdict: { kind: 'broken' }, worker: 'w3' });
  }, 240_000);

  test('a job survives that the clocks of its workers are hours apart, and that one is killed', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    const words = ['--repository', origin, '--concurrency', '1'];
    await trial.worker([...words, '--name', 'early'], clockOff(-3));
    const queued = await trial.evaluator();
    const { answer } = await begun(trial, queued, { root, files: breaking(1) });
    await trial.workers[0]?.kill();
    await trial.worker([...words, '--name', 'late'], clockOff(3));
    expect(await answer).toMatchObject({ verdict: { kind: 'broken' }, worker: 'late' });
    const more = queued.evaluate(await trial.request(root, breaking(2)), calm);
    expect(await more).toMatchObject({ verdict: { kind: 'broken' }, worker: 'late' });
  }, 120_000);

  test.skipIf(!hasNetworks)(
    'a job of a worker whose network is cut goes to another one, and the first one comes back (network namespaces are needed)',
    async () => {
      await using trial = await QueueTrial.open();
      const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
      const root = clones[0] ?? '';
      const words = ['--repository', origin, '--concurrency', '1'];
      const cut = await trial.workerApart([...words, '--name', 'apart']);
      const queued = await trial.evaluator();
      const { answer } = await begun(trial, queued, { root, files: breaking(1) });
      await cut.network('down');
      const near = await trial.worker([...words, '--name', 'near']);
      expect(await answer).toMatchObject({ verdict: { kind: 'broken' }, worker: 'near' });
      await cut.network('up');
      await near.stop();
      const more = queued.evaluate(await trial.request(root, breaking(2)), calm);
      expect(await more).toMatchObject({ verdict: { kind: 'broken' }, worker: 'apart' });
    },
    120_000,
  );

  test('jobs that wait or run are answered after Redis came back without its data', async () => {
    await using trial = await QueueTrial.open('--appendonly', 'no');
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator();
    const running = await begun(trial, queued, { root, files: breaking(1) });
    const waiting = queued.evaluate(await trial.request(root, breaking(2)), calm);
    await trial.redis.kill();
    await trial.redis.resume();
    expect(await running.answer).toMatchObject({ verdict: { kind: 'broken' } });
    expect(await waiting).toMatchObject({ verdict: { kind: 'broken' } });
  });

  test('a Redis that gets full while a job runs is named, and afterwards everything works again', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [{ 'a.scripted': 'word\n' }]);
    const root = clones[0] ?? '';
    const silent = scriptedDefinition({ neverAnswers: ['textDocument/diagnostic'] });
    const first = await trial.workerHere(origin, { name: 'first', definitions: [silent] });
    const queued = await trial.evaluator();
    const { answer } = await begun(trial, queued, { root, files: { 'a.scripted': 'other\n' } });
    await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
    await link.redis.config('SET', 'maxmemory', '1');
    await expect(answer).rejects.toMatchObject({ code: 'queue/full' });
    await link.redis.config('SET', 'maxmemory', '0');
    await first[Symbol.asyncDispose]();
    await using _second = await trial.workerHere(origin, {
      name: 'second',
      definitions: [scriptedDefinition({})],
    });
    const again = queued.evaluate(await trial.request(root, { 'a.scripted': 'other\n' }), calm);
    expect(await again).toMatchObject({ kind: 'evaluated', worker: 'second' });
  });

  test('a worker is not ready while Redis says nothing, and is again afterwards', async () => {
    await using trial = await QueueTrial.open();
    const { origin } = await trial.repository('sums', [typescriptFiles]);
    const worker = await trial.worker(['--repository', origin, '--metrics-port', '0']);
    const status = async (path: string) => (await fetch(`${worker.said.metrics}${path}`)).status;
    await until(async () => expect(await status('/ready')).toBe(200));
    trial.redis.freeze();
    await until(async () => expect(await status('/ready')).toBe(503));
    expect(await status('/health')).toBe(200);
    trial.redis.thaw();
    await until(async () => expect(await status('/ready')).toBe(200));
  });
});

const certifier = 'openssl';
const canCertify = spawnSync(certifier, ['version']).status === 0;

/** A key and a certificate of 127.0.0.1, signed by itself. */
async function certificate(): Promise<AsyncDisposable & { readonly key: string; readonly cert: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=queue'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync(certifier, [...kind, ...names], { stdio: 'ignore' });
  return { key, cert, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

test.skipIf(!hasRedis || !canCertify)(
  'over TLS a worker answers whoever knows its authority (redis-server and openssl are needed)',
  async () => {
    await using files = await certificate();
    const { key, cert } = files;
    const port = await RedisServer.freePort();
    const tls = ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key];
    await using trial = await QueueTrial.open(...tls, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no');
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const url = `rediss://127.0.0.1:${port}`;
    await trial.worker(['--repository', origin, '--name', 'w1'], {
      FORERUN_QUEUE: url,
      NODE_EXTRA_CA_CERTS: cert,
    });
    const patch = `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1,3 +1,3 @@
-export function sum(a: number, b: number): number {
+export function sum(a: string, b: number): string {
   return a + b;
 }
`;
    const whatif = (env: Readonly<Record<string, string>>) =>
      runProgram(['whatif', `--queue=${url}`, '--json', '-'], {
        input: patch,
        cwd: clones[0] ?? '',
        env: { ...trial.variables(), ...env },
      });
    const stranger = await whatif({});
    expect(stranger).toMatchObject({ code: 2, stdout: '' });
    expect(stranger.stderr).toMatch(/no queue at rediss:.*certificate.*\[queue\/unreachable\]/s);
    expect(await whatif({ NODE_EXTRA_CA_CERTS: cert })).toMatchObject({ code: 1 });
  },
);
