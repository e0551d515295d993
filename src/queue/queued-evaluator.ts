/**
 * The Evaluator on other machines: puts a request on the queue as a job, and waits for its answer.
 *
 * Invariants: an answer is taken only if it was signed for this very job. A job that the queue lost is added again, as
 * often as it takes until the deadline. A caller that gives up stops the job on its worker, unless another caller waits
 * for the same one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { abortable, Deadline, onAbort } from '../base/deadline.ts';
import type { Environment } from '../base/environment.ts';
import { type Log, silentLog } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import type { EvaluationOutcome, EvaluationRequest, Evaluator } from '../evaluation/evaluator.ts';
import { KnownRepository } from '../git/known-repository.ts';
import { version } from '../host/version.ts';
import { sha256 } from '../storage/hash.ts';
import { type Answer, isConclusive, outcomeFor, parseAnswer } from './answer.ts';
import { type Job, type JobPart, type JobPriority, jobIdOf, priorities, protocol } from './job.ts';
import { type JobMessage, MessageInbox, type MessageListeners, parseMessage } from './job-message.ts';
import { liveWorkers, workersOf } from './live-worker.ts';
import {
  JobExpired,
  JobPoisoned,
  maxAttempts,
  NotSigned,
  NoWorker,
  QuotaReached,
  RateReached,
  WorkerFailed,
} from './queue-failure.ts';
import { namedFailure, QueueLink } from './queue-link.ts';
import { channels, maxAnswerAgeMs, QueueStore } from './queue-store.ts';
import { queueNameOf } from './repository-identity.ts';
import { jobRequestOf, type TreeState, treeState } from './request-job.ts';
import { Seal } from './seal.ts';
import { SharedLooks } from './shared-looks.ts';

export interface QueuedEvaluatorOptions {
  /** The address of Redis or Valkey: `redis://` or `rediss://`. */
  readonly url: string;
  /** Shared with the workers. */
  readonly secret: string | undefined;
  /** Who asks, for the quota; absent: a program without a name. */
  readonly caller?: string | undefined;
  /** Absent: an agent. */
  readonly priority?: JobPriority | undefined;
  /** How many jobs the caller may have in the queue at once; absent: 64. */
  readonly callerJobs?: number | undefined;
  /** How many jobs the caller may add within a minute; absent: 6000. */
  readonly callerJobsPerMinute?: number | undefined;
  /** How long to wait for an answer; absent: five minutes and the time limit of the request. */
  readonly deadlineMs?: number | undefined;
  /** How long a job waits for a first worker of its repository; absent: 15 seconds. */
  readonly workerStartMs?: number | undefined;
  /** The address that workers fetch from; absent: the remote `origin`, else the directory of the repository. */
  readonly remote?: string | undefined;
  /** The environment that git inherits. */
  readonly env: Environment;
  /** Absent: nothing is logged. */
  readonly log?: Log | undefined;
}

/** A message that did not arrive is noticed after this time at the latest. */
const lookAgainMs = 2000;

/** A part of a job at least this long is stored apart from it. */
const inlineBytes = 8 * 1024;

export class QueuedEvaluator implements Evaluator, AsyncDisposable {
  readonly #options: QueuedEvaluatorOptions;
  readonly #link: QueueLink;
  readonly #store: QueueStore;
  readonly #seal: Seal;
  readonly #waiter = randomUUID();
  readonly #log: Log;
  readonly #listeners: MessageListeners = new Map();
  readonly #subscribed = new Map<string, Promise<unknown>>();
  readonly #repositories = new Map<string, KnownRepository>();
  readonly #states = new SharedLooks<TreeState>();
  /** Bytes sent to the queue so far. */
  #sentBytes = 0;

  static async open(options: QueuedEvaluatorOptions): Promise<QueuedEvaluator> {
    const seal = new Seal(options.secret);
    const { url, log = silentLog } = options;
    return new QueuedEvaluator(options, seal, await QueueLink.open({ url, log }));
  }

  private constructor(options: QueuedEvaluatorOptions, seal: Seal, link: QueueLink) {
    this.#options = options;
    this.#seal = seal;
    this.#link = link;
    this.#store = new QueueStore(link.redis);
    this.#log = (options.log ?? silentLog).child('queue');
    link.subscriber.on('message', (_channel: string, message: string) => this.#receive(message));
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  async evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationOutcome> {
    const { deadlineMs = 5 * 60_000 + request.timeoutMs } = this.#options;
    using deadline = new Deadline(deadlineMs, signal);
    try {
      const submitted = await this.#submission(request, deadlineMs, deadline.signal);
      const waiting = this.#answer(submitted, request.onProgress ?? (() => {}), deadline.signal);
      const answer = await withinGrace(waiting, deadline.signal);
      if (answer.kind === 'failure') throw new WorkerFailed(answer);
      this.#log.debug('queue.answered', { job: submitted.id, worker: answer.worker, warmth: answer.warmth });
      return outcomeFor(request.workspace.root, answer);
    } catch (thrown) {
      if (
        deadline.expired &&
        !signal.aborted &&
        !(thrown instanceof NoWorker || thrown instanceof QuotaReached || thrown instanceof RateReached)
      )
        throw new JobExpired(Math.round(deadlineMs / 1000));
      throw namedFailure(thrown);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link[Symbol.asyncDispose]();
  }

  async #submission(
    request: EvaluationRequest,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Submission> {
    const { root } = request.workspace;
    const known = this.#repository(root);
    const state = await abortable(
      this.#states.next(root, () => treeState(root, known, neverAborts())),
      signal,
    );
    const { remote, caller = 'program', priority = 'agent' } = this.#options;
    const { repository, layers, unsent, request: asked } = await jobRequestOf(request, { state, remote });
    const texts = layers.map((layer) => JSON.stringify(layer));
    const rest = JSON.stringify(unsent);
    const content = {
      repository,
      layers: texts.map(partOf),
      unsent: partOf(rest),
      request: { ...asked },
    };
    const job: Job = { protocol, version, ...content, deadlineMs, caller, priority };
    const blobs = [...texts, rest].filter((text) => partOf(text).kind === 'blob');
    return { id: jobIdOf(content), queue: queueNameOf(repository.identity), job, blobs };
  }

  #repository(root: string): KnownRepository {
    const known = this.#repositories.get(root) ?? new KnownRepository(root, this.#options.env);
    this.#repositories.set(root, known);
    return known;
  }

  /** Waits for the answer of a job that is added if it is not there, and again if it gets lost. */
  async #answer(
    submitted: Submission,
    onProgress: (message: string) => void,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { id, queue, job } = submitted;
    using inbox = new MessageInbox(this.#listeners, id, signal);
    await this.#subscribe(queue);
    const known = await this.#known(id);
    if (known && isConclusive(known)) return known;
    if (known) await this.#store.dropAnswer(id);
    await this.#enter(submitted, signal);
    try {
      await this.#add(submitted, 'once', signal);
      await this.#store.publish(channels.wake, job.repository.identity);
      return await this.#awaited(submitted, { inbox, onProgress }, signal);
    } catch (thrown) {
      await this.#giveUp(submitted);
      throw thrown;
    } finally {
      // The server may be gone; what is stored there expires by itself.
      const left = Promise.all([this.#store.leave(id, this.#waiter), this.#store.exit(job.caller, id)]);
      await Promise.race([left.catch(() => undefined), delay(1000, undefined, { ref: false })]);
    }
  }

  /** Looks for the answer after every message, and now and then without one. */
  async #awaited(
    submitted: Submission,
    { inbox, onProgress }: { readonly inbox: MessageInbox; readonly onProgress: (message: string) => void },
    signal: AbortSignal,
  ): Promise<Answer> {
    const { id } = submitted;
    const startedAt = performance.now();
    for (let resent = 0; ; ) {
      const latest = await inbox.next(lookAgainMs);
      signal.throwIfAborted();
      if (latest?.kind === 'progress') {
        onProgress(this.#opened(latest, id));
        continue;
      }
      const answer = await this.#known(id);
      if (answer && (!isResent(answer) || resent === maxAttempts)) return answer;
      if (answer) {
        resent += 1;
        await this.#store.dropAnswer(id);
        await this.#add(submitted, 'anew', signal);
      } else if (latest === undefined) await this.#stillThere(submitted, startedAt, signal);
    }
  }

  /** The stored answer, if there is one that a worker has signed. */
  async #known(id: string): Promise<Answer | undefined> {
    const stored = await this.#store.answer(id);
    if (stored === undefined) return undefined;
    const text = this.#seal.open('answer', id, stored.sealed);
    if (text === undefined) throw new NotSigned('answer');
    const { answer, at } = parseAnswer(text);
    return stored.now - at > maxAnswerAgeMs ? undefined : answer;
  }

  /** Waits for a place if the caller has as many jobs in the queue as it may have. */
  async #enter({ id, job }: Submission, signal: AbortSignal): Promise<void> {
    const { callerJobs: jobs = 64, callerJobsPerMinute: perMinute = 6000 } = this.#options;
    const enter = () => this.#store.enter(job.caller, id, { jobs, perMinute });
    for (let reached = await enter(); reached !== undefined; reached = await enter()) {
      const { limit, count } = reached;
      const Reached = limit === 'jobs' ? QuotaReached : RateReached;
      await delay(250, undefined, { signal }).catch(() => {
        throw new Reached(job.caller, count);
      });
    }
  }

  async #add(
    { id, queue, job, blobs }: Submission,
    parts: 'once' | 'anew',
    signal: AbortSignal,
  ): Promise<void> {
    await this.#store.join(id, this.#waiter);
    await this.#store.noteRepository(job.repository.identity);
    for (const blob of blobs) this.#sentBytes += await this.#store.putBlob(sha256(blob), blob, parts);
    signal.throwIfAborted();
    const data = { sealed: this.#seal.close('job', id, JSON.stringify(job)), protocol };
    this.#sentBytes += data.sealed.length;
    await this.#link.queue(queue).add('evaluate', data, {
      jobId: id,
      priority: priorities.indexOf(job.priority) + 1,
      attempts: maxAttempts,
      removeOnComplete: true,
      removeOnFail: { age: 600, count: 1000 },
    });
  }

  /** Looks whether the job is still in the queue, and whether any worker will ever take it. */
  async #stillThere(submitted: Submission, startedAt: number, signal: AbortSignal): Promise<void> {
    const { id, queue, job } = submitted;
    await this.#store.join(id, this.#waiter);
    await this.#store.stay(job.caller, id);
    const found = await this.#link.queue(queue).getJob(id);
    if (!found) {
      // It was answered between the two looks, or the queue has lost it.
      if ((await this.#known(id)) === undefined) await this.#add(submitted, 'once', signal);
      return;
    }
    if (await found.isFailed()) throw new JobPoisoned(found.failedReason || 'its workers ended');
    const { identity } = job.repository;
    const { workerStartMs = 15_000 } = this.#options;
    if (performance.now() - startedAt < workerStartMs) return;
    const workers = await liveWorkers(this.#store, this.#seal);
    if (workersOf(identity, workers).length === 0) {
      const others = workers.map((worker) => worker.version);
      throw new NoWorker(identity, { version, others });
    }
  }

  /** Cancels the job unless others wait for it. */
  async #giveUp({ id, queue }: Submission): Promise<void> {
    const work = async () => {
      if ((await this.#store.leave(id, this.#waiter)) > 0) return;
      await this.#store.publish(channels.cancel, id);
      const job = await this.#link.queue(queue).getJob(id);
      // One that runs is locked by its worker, which stops by the message.
      if (job && !(await job.isFailed())) await job.remove().catch(() => undefined);
    };
    await Promise.race([work().catch(() => undefined), delay(1000, undefined, { ref: false })]);
  }

  async #subscribe(queue: string): Promise<void> {
    const channel = channels.messages(queue);
    const known = this.#subscribed.get(channel) ?? this.#link.subscriber.subscribe(channel);
    this.#subscribed.set(channel, known);
    await known;
  }

  #receive(message: string): void {
    const received = parseMessage(message);
    for (const listener of this.#listeners.get(received?.id ?? '') ?? []) if (received) listener(received);
  }

  #opened(progress: JobMessage, id: string): string {
    return this.#seal.open('progress', id, progress.text) ?? 'a worker reports progress that is not signed';
  }
}

function partOf(text: string): JobPart {
  return text.length < inlineBytes ? { kind: 'inline', text } : { kind: 'blob', hash: sha256(text) };
}

interface Submission {
  readonly id: string;
  readonly queue: string;
  readonly job: Job;
  /** The texts that are stored apart from the job. */
  readonly blobs: readonly string[];
}

/** A worker found a part of the job missing. */
function isResent(answer: Answer): boolean {
  return answer.kind === 'failure' && answer.code === 'queue/blob-missing';
}

/** How long a caller that gave up waits until that is known in the queue, which may not answer any more. */
const graceMs = 2000;

/** Settles like the work, which ends by itself after an abort; if it does not, with the reason of the abort. */
async function withinGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave = (): void => {};
  const late = new Promise<never>((_, reject) => {
    leave = onAbort(signal, () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    leave();
    clearTimeout(timer);
    // If the work is still waiting for the server, closing the connection ends it.
    work.catch(() => undefined);
  }
}
