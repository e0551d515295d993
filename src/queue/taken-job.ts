/**
 * One job in the hands of a worker, from the moment it was taken to its answer.
 *
 * Invariants: the answer is stored before the job leaves the queue, so that a worker that ends in between loses nothing.
 * A job that crashes a language server is tried again on fresh servers, and given up by name in the end.
 */
import type { Job as QueuedJob } from 'bullmq';
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import { version } from '../host/version.ts';
import { type Answer, type DatedAnswer, failureAnswer, isConclusive } from './answer.ts';
import { type Job, parseJob, protocol } from './job.ts';
import { messageText } from './job-message.ts';
import { crashIn, type JobParts, type JobResult, runJob } from './job-run.ts';
import { JobPoisoned, maxAttempts, NotSigned, ProtocolMismatch, VersionMismatch } from './queue-failure.ts';
import { channels } from './queue-store.ts';
import type { Seal } from './seal.ts';
import type { JobEnd, WorkerMetrics } from './worker-metrics.ts';

export interface TakenJobParts extends JobParts {
  /** The name of the worker. */
  readonly worker: string;
  readonly seal: Seal;
  readonly metrics: WorkerMetrics;
  readonly lockMs: number;
  /** Ends the servers of a checkout. */
  readonly close: (top: string) => Promise<void>;
}

const workersEnded = 'every worker that took it ended';

const envelope = z.object({ protocol: z.unknown(), sealed: z.string() });

export class TakenJob {
  readonly id: string;
  readonly #parts: TakenJobParts;
  readonly #queued: QueuedJob;
  readonly #token: string;
  readonly #ending = new AbortController();
  #given: 'cancelled' | 'returned' | undefined;

  constructor(
    parts: TakenJobParts,
    { queued, token }: { readonly queued: QueuedJob; readonly token: string },
  ) {
    this.#parts = parts;
    this.#queued = queued;
    this.#token = token;
    this.id = queued.id ?? '';
  }

  /** Stops it: its callers have gone, or the worker stops and another one takes it. */
  give(how: 'cancelled' | 'returned'): void {
    this.#given ??= how;
    this.#ending.abort(new Error(`the job was ${how}`));
  }

  async run(): Promise<void> {
    const { metrics, lockMs, log } = this.#parts;
    const extend = () =>
      this.#queued
        .extendLock(this.#token, lockMs)
        .catch((thrown: unknown) =>
          log.debug('worker.lock-lost', { code: 'queue/lock-lost', job: this.id, error: messageOf(thrown) }),
        );
    const timer = setInterval(() => void extend(), lockMs / 4);
    try {
      metrics.ended(await this.#settle());
    } finally {
      clearInterval(timer);
    }
  }

  async #settle(): Promise<JobEnd> {
    const { store, worker } = this.#parts;
    let job: Job;
    try {
      job = this.#opened();
    } catch (thrown) {
      return await this.#answered(failureAnswer(thrown, worker), 'refused');
    }
    // The queue gives a job that ended too many workers once more, for somebody to say so.
    const { deferredFailure } = this.#queued;
    if (deferredFailure)
      return await this.#answered(failureAnswer(new JobPoisoned(workersEnded), worker), 'failed');
    // A caller that died does not wait; one that comes later adds the job again.
    if ((await store.waiters(this.id)) === 0) return await this.#dropped();
    try {
      const startedAt = performance.now();
      const result = await runJob(
        this.#parts,
        { job, onProgress: (message) => this.#report(message) },
        this.#ending.signal,
      );
      return await this.#evaluated(result, (performance.now() - startedAt) / 1000);
    } catch (thrown) {
      if (this.#given === 'cancelled') return await this.#dropped();
      if (this.#given === 'returned') return await this.#returned();
      if (!(thrown instanceof Failure))
        this.#parts.log.error('worker.failed', { code: 'queue/worker-failed', error: messageOf(thrown) });
      return await this.#answered(failureAnswer(thrown, worker), 'failed');
    }
  }

  /** The job, if it was signed by a holder of the secret under this very id. */
  #opened(): Job {
    const { data } = envelope.safeParse(this.#queued.data);
    if (data && data.protocol !== protocol) throw new ProtocolMismatch(data.protocol, protocol);
    const text = data && this.#parts.seal.open('job', this.id, data.sealed);
    if (text === undefined) throw new NotSigned('job');
    const job = parseJob(text);
    if (job.version !== version) throw new VersionMismatch(job.version, version);
    return job;
  }

  async #evaluated({ outcome, root, warmth }: JobResult, seconds: number): Promise<JobEnd> {
    const { worker, metrics, close } = this.#parts;
    const crash = crashIn(outcome);
    if (crash !== undefined) {
      // The servers of the next attempt, and of other jobs, begin without the history of these crashes.
      await close(root);
      if (this.#queued.attemptsMade + 1 < maxAttempts) return await this.#retried(crash);
      return await this.#answered(failureAnswer(new JobPoisoned(crash), worker), 'failed');
    }
    metrics.evaluated(warmth, seconds);
    const answer = { kind: 'outcome', outcome, root, worker, warmth } as const;
    return await this.#answered(answer, outcome.kind === 'stale' ? 'stale' : 'answered');
  }

  async #answered(answer: Answer, end: JobEnd): Promise<JobEnd> {
    const { store, seal } = this.#parts;
    const dated: DatedAnswer = { answer, at: await store.now() };
    const sealed = seal.close('answer', this.id, JSON.stringify(dated));
    await store.putAnswer(this.id, sealed, isConclusive(answer) ? 'conclusive' : 'doubtful');
    await this.#leave(() => this.#queued.moveToCompleted('', this.#token, false));
    await store.publish(
      channels.messages(this.#queued.queueName),
      messageText({ kind: 'answered', id: this.id, text: '' }),
    );
    return end;
  }

  async #retried(why: string): Promise<JobEnd> {
    await this.#leave(() => this.#queued.moveToFailed(new Error(why), this.#token, false));
    return 'retried';
  }

  async #returned(): Promise<JobEnd> {
    await this.#leave(() => this.#queued.moveToWait(this.#token));
    return 'returned';
  }

  async #dropped(): Promise<JobEnd> {
    await this.#leave(() => this.#queued.moveToCompleted('', this.#token, false));
    return 'cancelled';
  }

  /** If the lock was lost, another worker has the job and gives the same answer. */
  async #leave(leave: () => Promise<unknown>): Promise<void> {
    try {
      await leave();
    } catch (thrown) {
      this.#parts.log.info('worker.job-taken-over', {
        code: 'queue/lock-lost',
        job: this.id,
        error: messageOf(thrown),
      });
    }
  }

  #report(progress: string): void {
    const { store, seal, log } = this.#parts;
    const text = seal.close('progress', this.id, progress);
    const message = messageText({ kind: 'progress', id: this.id, text });
    store
      .publish(channels.messages(this.#queued.queueName), message)
      .catch((thrown: unknown) =>
        log.debug('worker.progress-lost', { code: 'queue/unreachable', error: messageOf(thrown) }),
      );
  }
}
