/**
 * `forerun worker`: evaluates jobs of a queue until it is ended.
 *
 * Invariant: the only line on standard output says that it takes jobs, and where its metrics are. Neither the secret nor
 * the password of the queue is printed or logged.
 */
import { availableParallelism, hostname } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { Forerun } from '../../host/forerun.ts';
import { AllowedHosts } from '../../http/allowed-hosts.ts';
import { createHttpApp } from '../../http/http-app.ts';
import { HttpListener } from '../../http/http-listener.ts';
import { checkoutPreparation } from '../../queue/checkout-preparation.ts';
import { QueueWorker } from '../../queue/queue-worker.ts';
import { cleanLater } from '../clean/clean-later.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { queueChoice } from './queue-choice.ts';

export interface WorkerCommandOptions {
  readonly queue?: string | undefined;
  readonly repository: readonly string[];
  readonly prepare?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly checkouts?: number | undefined;
  readonly name?: string | undefined;
  readonly metricsPort?: number | undefined;
  readonly metricsAddress: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Within the time that a process has to end after a signal. */
const finishMs = 2000;

export async function workerCommand(
  { signal, closing }: ProcessLifetime,
  options: WorkerCommandOptions,
): Promise<ExitCode> {
  const { env, log, concurrency = availableParallelism(), checkouts = 4 } = options;
  const { url, secret } = queueChoice(options.queue, env, log);
  const forerun = new Forerun({ definitions: 'detect', log, env, daemon: 'off' });
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const repositories = options.repository.map(absoluteDirectory);
  const prepare = checkoutPreparation({ command: options.prepare, forerun, env, log });
  const jobs = { url, secret, name, repositories, concurrency, checkouts, prepare, finishMs };
  await using worker = await startedWorker({ ...jobs, forerun, env, log });
  using metrics = await metricsOf(worker, options, signal);
  forerun.announce('forerun worker');
  cleanLater(log, signal);
  const served = metrics.url === undefined ? {} : { metrics: metrics.url };
  process.stdout.write(
    `${JSON.stringify({ worker: name, queue: worker.address, concurrency, ...served })}\n`,
  );
  await ended(signal);
  closing();
  return exitCodes.good;
}

/** What was built for a worker that cannot start is taken down again. */
async function startedWorker(options: Parameters<typeof QueueWorker.start>[0]): Promise<QueueWorker> {
  try {
    return await QueueWorker.start(options);
  } catch (thrown) {
    await options.forerun[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function metricsOf(
  worker: QueueWorker,
  { metricsPort: port, metricsAddress: address, log }: WorkerCommandOptions,
  signal: AbortSignal,
): Promise<Disposable & { readonly url: string | undefined }> {
  if (port === undefined) return { url: undefined, [Symbol.dispose]: () => {} };
  // Counts of jobs are no secret, and the collector of a cluster has no token.
  const app = createHttpApp({ hosts: new AllowedHosts(address), token: 'anybody', maxBodyBytes: 0, log });
  app.get('/ready', (context) =>
    worker.isConnected ? context.json({ status: 'ok' }) : context.json({ status: 'disconnected' }, 503),
  );
  app.get('/metrics', (context) =>
    context.text(worker.metricsText(), 200, { 'Content-Type': 'text/plain; version=0.0.4' }),
  );
  const listener = await HttpListener.start(
    { address, port, fetch: (request) => app.fetch(request), log },
    signal,
  );
  return { url: listener.url, [Symbol.dispose]: () => listener.close() };
}

/** A directory counts from where the command runs. */
function absoluteDirectory(word: string): string {
  const isDirectory = word.startsWith('.') || (isAbsolute(word) && !word.includes('://'));
  return isDirectory ? resolve(word) : word;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve_) => {
    if (signal.aborted) resolve_();
    else onAbort(signal, () => resolve_());
  });
}
