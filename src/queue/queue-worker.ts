/**
 * A worker: takes jobs of its repositories from the queue, evaluates them and stores their answers.
 *
 * Invariants: a job that was not signed with the shared secret, or whose repository is not on the list, reaches neither
 * git nor a language server. A job is in the hands of one worker at a time; if that one ends without a word, another takes
 * it. Disposing the worker finishes its jobs or returns them.
 */
import { randomUUID } from 'node:crypto';
import type { Job as QueuedJob, Worker } from 'bullmq';
import { messageOf } from '../base/failure.ts';
import { failureLogger, type Log } from '../base/log.ts';
import type { Forerun } from '../host/forerun.ts';
import { version } from '../host/version.ts';
import { cacheDirectory } from '../storage/user-directories.ts';
import { announceWorker, type LiveWorker, liveWorkers, takesFrom } from './live-worker.ts';
import { maxAttempts } from './queue-failure.ts';
import { QueueLink, type TakerLimits } from './queue-link.ts';
import { channels, QueueStore } from './queue-store.ts';
import { type CheckoutOptions, RepositoryCheckouts } from './repository-checkouts.ts';
import { AllowedRepositories, covers, queueNameOf } from './repository-identity.ts';
import { Seal } from './seal.ts';
import { TakenJob } from './taken-job.ts';
import { WorkerMetrics } from './worker-metrics.ts';

export interface QueueWorkerOptions {
  readonly url: string;
  readonly secret: string | undefined;
  /** Unique among the workers of the queue. */
  readonly name: string;
  /** Addresses or directories of repositories, or beginnings of them that end in `*`. */
  readonly repositories: readonly string[];
  /** How many jobs run at once. */
  readonly concurrency: number;
  readonly checkouts: number;
  readonly prepare: CheckoutOptions['prepare'];
  /** How long jobs that run may go on when the worker stops. */
  readonly finishMs: number;
  readonly forerun: Forerun;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

const limits: TakerLimits = { lockMs: 10_000, checkMs: 2500, lostWorkers: maxAttempts - 1 };

/** How often a worker says that it lives, and looks for jobs that it was not told of. */
const beatMs = 1000;

/** A queue that has not answered for so long is not reachable. */
const silentMs = 4 * beatMs;

export class QueueWorker implements AsyncDisposable {
  readonly metrics = new WorkerMetrics();
  readonly #options: QueueWorkerOptions;
  readonly #seal: Seal;
  readonly #allowed: AllowedRepositories;
  readonly #link: QueueLink;
  readonly #store: QueueStore;
  readonly #checkouts: RepositoryCheckouts;
  readonly #log: Log;
  readonly #takers = new Map<string, Worker>();
  readonly #running = new Map<TakenJob, Promise<void>>();
  readonly #stopping = new AbortController();
  #workers: readonly LiveWorker[] = [];
  #identities: readonly string[];
  #turn = 0;
  #beatAt = 0;
  #wake: () => void = () => {};
  #isAwake = false;
  #loops: readonly Promise<void>[] = [];

  static async start(options: QueueWorkerOptions): Promise<QueueWorker> {
    const seal = new Seal(options.secret);
    const link = await QueueLink.open(options);
    try {
      const { env, log, prepare, checkouts: limit } = options;
      const close = (checkout: { readonly top: string }) => closeBelow(options.forerun, checkout.top);
      const cache = cacheDirectory(env);
      const checkouts = await RepositoryCheckouts.open({ cache, limit, env, log, prepare, close });
      const worker = new QueueWorker(options, { seal, link, checkouts });
      await worker.#begin();
      return worker;
    } catch (thrown) {
      await link[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  private constructor(
    options: QueueWorkerOptions,
    parts: { readonly seal: Seal; readonly link: QueueLink; readonly checkouts: RepositoryCheckouts },
  ) {
    this.#options = options;
    this.#seal = parts.seal;
    this.#link = parts.link;
    this.#checkouts = parts.checkouts;
    this.#store = new QueueStore(parts.link.redis);
    this.#allowed = new AllowedRepositories(options.repositories);
    this.#identities = this.#allowed.identities;
    this.#log = options.log.child('worker');
  }

  /** Where the queue is, without credentials. */
  get address(): string {
    return this.#link.address;
  }

  /** Whether the queue answers: a connection may seem to stand long after the network was cut. */
  get isConnected(): boolean {
    return this.#link.redis.status === 'ready' && performance.now() - this.#beatAt < silentMs;
  }

  metricsText(): string {
    const { concurrency } = this.#options;
    return this.metrics.text({ running: this.#running.size, concurrency, checkouts: this.#checkouts.count });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the worker stops'));
    this.#nudge();
    const { finishMs } = this.#options;
    // Without a connection there is nobody to tell; what runs is taken over when its lock ends.
    const bounded = (work: Promise<unknown>, ms: number) =>
      Promise.race([work.catch(() => undefined), after(ms)]);
    await bounded(this.#store.retire(this.#options.name), 500);
    await bounded(Promise.all(this.#running.values()), finishMs);
    for (const job of this.#running.keys()) job.give('returned');
    await bounded(Promise.all([...this.#running.values(), ...this.#loops]), 1000);
    await bounded(Promise.all([...this.#takers.values()].map((taker) => taker.close(true))), 500);
    await this.#link[Symbol.asyncDispose]();
    await this.#options.forerun[Symbol.asyncDispose]();
    await this.#checkouts[Symbol.asyncDispose]();
  }

  async #begin(): Promise<void> {
    const { subscriber } = this.#link;
    subscriber.on('message', (channel: string, message: string) => {
      if (channel === channels.cancel) this.#cancel(message);
      else if (covers(this.#allowed, message)) this.#nudge(message);
    });
    await subscriber.subscribe(channels.wake, channels.cancel);
    await this.#beat();
    this.#loops = [this.#keepBeating(), this.#keepTaking()];
  }

  #cancel(id: string): void {
    for (const job of this.#running.keys()) if (job.id === id) job.give('cancelled');
  }

  #nudge(identity?: string): void {
    if (identity !== undefined && !this.#identities.includes(identity))
      this.#identities = [...this.#identities, identity];
    this.#isAwake = true;
    this.#wake();
  }

  async #keepBeating(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#rest(beatMs, 'through');
      if (this.#stopping.signal.aborted) return;
      await this.#beat().catch((thrown: unknown) =>
        this.#log.warning('worker.beat-failed', { code: 'queue/unreachable', error: messageOf(thrown) }),
      );
    }
  }

  async #beat(): Promise<void> {
    const { name, concurrency } = this.#options;
    const { identities, beginnings } = this.#allowed;
    const running = this.#running.size;
    const own = {
      name,
      version,
      concurrency,
      running,
      identities: [...identities],
      beginnings: [...beginnings],
    };
    await announceWorker(this.#store, this.#seal, own);
    this.#workers = await liveWorkers(this.#store, this.#seal);
    this.#beatAt = performance.now();
    if (beginnings.length === 0) return;
    const seen = (await this.#store.repositories()).filter((identity) => covers(this.#allowed, identity));
    this.#identities = [...new Set([...identities, ...seen])];
  }

  async #keepTaking(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        this.#isAwake = false;
        const isFree = this.#running.size < this.#options.concurrency;
        const taken = isFree ? await this.#next() : undefined;
        if (taken) this.#run(taken);
        else if (!this.#isAwake) await this.#rest(beatMs, 'until-woken');
      } catch (thrown) {
        this.#log.warning('worker.take-failed', { code: 'queue/unreachable', error: messageOf(thrown) });
        await this.#rest(beatMs, 'through');
      }
    }
  }

  /** The most urgent job of the own repositories, else one of a repository whose owner has too many. */
  async #next(): Promise<TakenJob | undefined> {
    const { name } = this.#options;
    this.#turn += 1;
    const count = this.#identities.length;
    const turned = this.#identities.map((_, index) => this.#identities[(index + this.#turn) % count] ?? '');
    const isOwn = (identity: string) =>
      takesFrom(name, { identity, workers: this.#workers, backlog: 0 }) === 'owner';
    const own = turned.filter(isOwn);
    // A taker also gives back the jobs of dead workers, which wait for nobody else.
    for (const identity of own) await this.#taker(queueNameOf(identity));
    for (const queue of await this.#link.byUrgency(own.map(queueNameOf))) {
      const taken = await this.#take(queue);
      if (taken) return taken;
    }
    for (const identity of turned.filter((each) => !own.includes(each))) {
      const counts = await this.#link.queue(queueNameOf(identity)).getJobCounts('wait', 'prioritized');
      const backlog = Object.values(counts).reduce((sum, waiting) => sum + waiting, 0);
      const role = takesFrom(name, { identity, workers: this.#workers, backlog });
      const taken = role === 'thief' ? await this.#take(queueNameOf(identity)) : undefined;
      if (!taken) continue;
      this.metrics.stole();
      return taken;
    }
    return undefined;
  }

  async #take(queue: string): Promise<TakenJob | undefined> {
    const token = randomUUID();
    const taker = await this.#taker(queue);
    const queued: QueuedJob | undefined = await taker.getNextJob(token, { block: false });
    if (!queued) return undefined;
    if (this.#stopping.signal.aborted) {
      await queued.moveToWait(token);
      return undefined;
    }
    const { name, forerun } = this.#options;
    const { metrics } = this;
    const context = {
      forerun,
      checkouts: this.#checkouts,
      store: this.#store,
      allowed: this.#allowed,
      log: this.#log,
    };
    const close = (top: string) => closeBelow(forerun, top);
    return new TakenJob(
      { ...context, worker: name, seal: this.#seal, metrics, lockMs: limits.lockMs, close },
      {
        queued,
        token,
      },
    );
  }

  async #taker(queue: string): Promise<Worker> {
    const known = this.#takers.get(queue);
    if (known) return known;
    const taker = this.#link.taker(queue, limits);
    this.#takers.set(queue, taker);
    await taker.startStalledCheckTimer();
    return taker;
  }

  #run(job: TakenJob): void {
    const work = job
      .run()
      .catch(failureLogger(this.#log, 'worker.job-failed'))
      .finally(() => {
        this.#running.delete(job);
        this.#nudge();
      });
    this.#running.set(job, work);
  }

  /** Waits; `until-woken` ends with the next message, both end with the worker. */
  #rest(ms: number, how: 'through' | 'until-woken'): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#stopping;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      if (how === 'until-woken') this.#wake = end;
    });
  }
}

/** Ends the servers of every workspace in a checkout. */
async function closeBelow({ registry }: Forerun, top: string): Promise<void> {
  const roots = registry.all.map(({ workspace }) => workspace.root);
  const inside = roots.filter((root) => root === top || root.startsWith(`${top}/`));
  await Promise.all(inside.map((root) => registry.close(root)));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
