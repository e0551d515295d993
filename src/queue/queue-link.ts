/**
 * The connection to Redis or Valkey, with the packages that speak to it.
 *
 * Invariants: the packages are loaded on first use only. The first connection either succeeds in time or fails by name;
 * after that it is made again for as long as its owner waits. No password is part of a message or a log record.
 */
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { protocol } from './job.ts';
import { QueueFull, QueueNotInstalled, QueueRefused, QueueUnreachable } from './queue-failure.ts';

type Bullmq = typeof import('bullmq');

export interface QueueLinkOptions {
  /** `redis://` or `rediss://` with host, and user and password if there are any. */
  readonly url: string;
  readonly log: Log;
}

/** How long the first connection may take. */
const connectMs = 5000;

export const keyPrefix = `forerun:${protocol}`;

export class QueueLink implements AsyncDisposable {
  readonly redis: Redis;
  /** Receives messages only: a connection that subscribes can do nothing else. */
  readonly subscriber: Redis;
  /** Without user name and password. */
  readonly address: string;
  readonly #bullmq: Bullmq;
  readonly #queues = new Map<string, Queue>();

  private constructor(bullmq: Bullmq, redis: Redis, address: string) {
    this.#bullmq = bullmq;
    this.redis = redis;
    this.subscriber = redis.duplicate();
    this.address = address;
  }

  static async open({ url, log }: QueueLinkOptions): Promise<QueueLink> {
    const address = addressOf(url);
    const { bullmq, Redis } = await packages();
    // Commands wait while the server restarts; the deadline of the caller ends that, not a number of attempts.
    const redis = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      connectTimeout: connectMs,
    });
    const link = new QueueLink(bullmq, redis, address);
    for (const each of [redis, link.subscriber])
      each.on('error', (error: Error) =>
        log.debug('queue.connection', { code: 'queue/unreachable', error: messageOf(error) }),
      );
    try {
      await connected(redis);
      await connected(link.subscriber);
      return link;
    } catch (thrown) {
      redis.disconnect();
      link.subscriber.disconnect();
      const why = messageOf(thrown);
      const Named = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/.test(why) ? QueueRefused : QueueUnreachable;
      throw new Named(address, why, { cause: thrown });
    }
  }

  /** The queue of one repository. */
  queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const made = new this.#bullmq.Queue(name, { connection: this.redis, prefix: keyPrefix });
    made.on('error', () => undefined);
    this.#queues.set(name, made);
    return made;
  }

  /** The names of the queues with jobs that wait, that with the most urgent one first; else in the given order. */
  async byUrgency(names: readonly string[]): Promise<readonly string[]> {
    const asked = this.redis.pipeline();
    for (const name of names) {
      const queue = this.queue(name);
      asked.llen(queue.toKey('wait')).zrange(queue.toKey('prioritized'), 0, 0, 'WITHSCORES');
    }
    const answers = (await asked.exec()) ?? [];
    const waiting = names.flatMap((name, index) => {
      const [[, returned] = [], [, first] = []] = answers.slice(2 * index);
      // A job that was given back was the most urgent one before. The score of the others is their priority, then their turn.
      if (Number(returned) > 0) return [{ name, urgency: 0 }];
      const score = Array.isArray(first) ? first[1] : undefined;
      return score === undefined ? [] : [{ name, urgency: Math.floor(Number(score) / 2 ** 32) }];
    });
    return waiting.sort((one, other) => one.urgency - other.urgency).map(({ name }) => name);
  }

  /** Takes jobs of a queue one by one, and gives those of dead workers back. */
  taker(name: string, limits: TakerLimits): Worker {
    const worker = new this.#bullmq.Worker(name, null, {
      connection: this.redis,
      prefix: keyPrefix,
      autorun: false,
      lockDuration: limits.lockMs,
      stalledInterval: limits.checkMs,
      maxStalledCount: limits.lostWorkers,
    });
    worker.on('error', () => undefined);
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(() => undefined)));
    this.redis.disconnect();
    this.subscriber.disconnect();
  }
}

export interface TakerLimits {
  /** How long a job stays with a worker that says nothing. */
  readonly lockMs: number;
  /** How often jobs of such workers are looked for. */
  readonly checkMs: number;
  /** How many workers may be lost with the same job in their hands before it is given up. */
  readonly lostWorkers: number;
}

/** Without credentials, for messages. */
function addressOf(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol))
    throw new QueueUnreachable('the given address', 'it must begin with redis:// or rediss://');
  const { protocol: scheme, host, pathname } = new URL(url);
  return `${scheme}//${host}${pathname === '/' ? '' : pathname}`;
}

/** A refusal of Redis to store more, by name; anything else as it is. */
export function namedFailure(thrown: unknown): unknown {
  const isFull = thrown instanceof Error && /\bOOM command not allowed/.test(thrown.message);
  return isFull && !(thrown instanceof Failure) ? new QueueFull(thrown) : thrown;
}

async function packages(): Promise<{ readonly bullmq: Bullmq; readonly Redis: typeof Redis }> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (cause) {
    throw new QueueNotInstalled(cause);
  }
}

/** The first attempt decides; later ones are made by the client itself. */
async function connected(redis: Redis): Promise<void> {
  let latest: unknown;
  const note = (error: Error) => {
    latest = error;
  };
  redis.on('error', note);
  try {
    await redis.connect();
    await redis.ping();
  } catch (thrown) {
    throw latest ?? thrown;
  } finally {
    redis.off('error', note);
  }
}
