/**
 * What callers and workers share in Redis beside the queues themselves: parts of jobs, answers, who waits for what, and
 * which workers are alive.
 *
 * Invariants: everything in it expires. Times are those of the server, so that the clocks of callers and workers need
 * not agree. A part is stored under the hash of its text and is read only if it still has that hash.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Redis } from 'ioredis';
import { sha256 } from '../storage/hash.ts';
import { BlobMissing, ChangeTooLarge } from './queue-failure.ts';
import { keyPrefix } from './queue-link.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** How long things are kept in seconds. */
const kept = {
  blob: 3600,
  answer: 900,
  doubtfulAnswer: 60,
  waiter: 30,
  worker: 10,
  repository: 30 * 24 * 3600,
};

/** A larger part is refused; what it decompresses to is bounded by this too. */
const maxBlobBytes = 256 * 2 ** 20;

/** An answer is taken for as long as it is kept, and not longer if somebody stores it again. */
export const maxAnswerAgeMs = (kept.answer + 60) * 1000;

export const channels = {
  /** A job was added; the message is the identity of its repository. */
  wake: `${keyPrefix}:wake`,
  /** No caller waits any more; the message is the id of the job. */
  cancel: `${keyPrefix}:cancel`,
  /** Progress and answers of the jobs of one queue. */
  messages: (queue: string): string => `${keyPrefix}:messages:${queue}`,
} as const;

export class QueueStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Stores a part, `once`: unless it is there; returns the number of bytes sent. */
  async putBlob(hash: string, text: string, how: 'once' | 'anew'): Promise<number> {
    const size = Buffer.byteLength(text);
    if (size > maxBlobBytes) throw new ChangeTooLarge(size, maxBlobBytes);
    const key = `${keyPrefix}:blob:${hash}`;
    if (how === 'once' && (await this.#redis.expire(key, kept.blob)) === 1) return 0;
    const bytes = await compress(text);
    await this.#redis.set(key, bytes, 'EX', kept.blob);
    return bytes.length;
  }

  async blob(hash: string): Promise<string> {
    const bytes = await this.#redis.getBuffer(`${keyPrefix}:blob:${hash}`);
    // What is not what was stored counts as missing: it is sent again.
    const text = bytes && (await decompress(bytes, { maxOutputLength: maxBlobBytes }).catch(() => null));
    if (text === null || sha256(text.toString('utf8')) !== hash) throw new BlobMissing(hash);
    return text.toString('utf8');
  }

  /** The sealed answer, and the time of the server in milliseconds. */
  async answer(id: string): Promise<{ readonly sealed: string; readonly now: number } | undefined> {
    const [sealed, now] = strings(await this.#redis.eval(answerScript, 1, answerKey(id)));
    return sealed === undefined || now === undefined ? undefined : { sealed, now: Number(now) };
  }

  /** The time of the server in milliseconds. */
  async now(): Promise<number> {
    const [seconds = 0, microseconds = 0] = (await this.#redis.time()).map(Number);
    return seconds * 1000 + Math.floor(microseconds / 1000);
  }

  async putAnswer(id: string, sealed: string, weight: 'conclusive' | 'doubtful'): Promise<void> {
    const seconds = weight === 'conclusive' ? kept.answer : kept.doubtfulAnswer;
    await this.#redis.set(answerKey(id), sealed, 'EX', seconds);
  }

  async dropAnswer(id: string): Promise<void> {
    await this.#redis.del(answerKey(id));
  }

  publish(channel: string, message: string): Promise<number> {
    return this.#redis.publish(channel, message);
  }

  /** The caller waits for the job, until it leaves or is not heard of for a while. */
  async join(id: string, waiter: string): Promise<void> {
    await this.#redis.eval(joinScript, 1, waitersKey(id), waiter, kept.waiter * 1000);
  }

  /** Returns how many others wait. */
  async leave(id: string, waiter: string): Promise<number> {
    return Number(await this.#redis.eval(leaveScript, 1, waitersKey(id), waiter));
  }

  async waiters(id: string): Promise<number> {
    return Number(await this.#redis.eval(leaveScript, 1, waitersKey(id), ''));
  }

  /** Counts a job for its caller; `undefined` if counted, else which limit the caller has reached. */
  async enter(caller: string, id: string, limits: CallerLimits): Promise<ReachedLimit | undefined> {
    const keys = [callerKey(caller), `${callerKey(caller)}:rate`] as const;
    const { jobs, perMinute } = limits;
    const entered = await this.#redis.eval(enterScript, 2, ...keys, id, kept.waiter * 1000, jobs, perMinute);
    const [limit, count] = strings(entered);
    return limit === 'jobs' || limit === 'rate' ? { limit, count: Number(count) } : undefined;
  }

  /** The caller still waits for a job that was counted. */
  async stay(caller: string, id: string): Promise<void> {
    await this.#redis.eval(joinScript, 1, callerKey(caller), id, kept.waiter * 1000);
  }

  async exit(caller: string, id: string): Promise<void> {
    await this.#redis.zrem(callerKey(caller), id);
  }

  /** What a live worker says of itself, sealed; it is forgotten if it does not say so again. */
  async announce(worker: string, sealed: string): Promise<void> {
    await this.#redis.eval(announceScript, 2, workersKey, seenKey, worker, sealed, kept.worker * 1000);
  }

  async retire(worker: string): Promise<void> {
    await this.#redis.hdel(workersKey, worker);
  }

  /** The sealed texts of the live workers by name. */
  async workers(): Promise<ReadonlyMap<string, string>> {
    const listed = strings(await this.#redis.eval(workersScript, 2, workersKey, seenKey));
    return new Map(pairs(listed));
  }

  /** Repositories that jobs were added for, for workers that allow more than those they name. */
  async noteRepository(identity: string): Promise<void> {
    await this.#redis.eval(noteScript, 1, repositoriesKey, identity, kept.repository * 1000);
  }

  repositories(): Promise<readonly string[]> {
    return this.#redis.zrange(repositoriesKey, 0, -1);
  }
}

/** What one caller may ask for. */
export interface CallerLimits {
  /** In the queue at once. */
  readonly jobs: number;
  readonly perMinute: number;
}

export interface ReachedLimit {
  readonly limit: 'jobs' | 'rate';
  readonly count: number;
}

/** A flat list of names and values, as a script returns it. */
function pairs(list: readonly string[]): readonly (readonly [string, string])[] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : []));
}

function strings(found: unknown): readonly string[] {
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}

const workersKey = `${keyPrefix}:workers`;
const seenKey = `${keyPrefix}:workers-seen`;
const repositoriesKey = `${keyPrefix}:repositories`;
const answerKey = (id: string): string => `${keyPrefix}:answer:${id}`;
const waitersKey = (id: string): string => `${keyPrefix}:waiters:${id}`;
const callerKey = (caller: string): string => `${keyPrefix}:caller:${sha256(caller).slice(0, 24)}`;

/** Milliseconds of the server's clock. */
const serverNow = `local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

const joinScript = `${serverNow}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
return 1`;

const leaveScript = `${serverNow}
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
return redis.call('ZCARD', KEYS[1])`;

const enterScript = `${serverNow}
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == false then
  local jobs = redis.call('ZCARD', KEYS[1])
  if jobs >= tonumber(ARGV[3]) then return { 'jobs', tostring(jobs) } end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now - 60000)
  local added = redis.call('ZCARD', KEYS[2])
  if added >= tonumber(ARGV[4]) then return { 'rate', tostring(added) } end
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], 60000)
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
return {}`;

const answerScript = `${serverNow}
local found = redis.call('GET', KEYS[1])
if found == false then return {} end
return { found, string.format('%.0f', now) }`;

const announceScript = `${serverNow}
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1`;

const workersScript = `${serverNow}
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], 0, now)) do redis.call('HDEL', KEYS[1], gone) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now)
return redis.call('HGETALL', KEYS[1])`;

const noteScript = `${serverNow}
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return 1`;
