/**
 * Keeps the servers of all pools of this process within one memory budget.
 *
 * Pools ask it before they start a server and notify it when a holder releases one. It measures the resident memory
 * of each server's whole process tree.
 *
 * Invariants:
 * 1. A held server is never ended.
 * 2. The first server of a pool is never refused.
 * 3. The most recently used server is never ended when a lease ends: the next call would only start it again.
 * 4. Memory reserved for a start counts as used until the start is over, so it is not granted twice.
 */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { residentBytesOf } from '../../process/process-memory.ts';

/** A running server as the governor sees it. */
export interface GovernedServer {
  /** Absent for a server on another machine or of another process: its memory is not counted. */
  readonly pid: number | undefined;
  readonly isIdle: boolean;
  /** When a caller last held it, by `performance.now()`. */
  readonly usedAt: number;
}

export interface GovernedPool {
  readonly name: string;
  readonly governed: readonly GovernedServer[];
  /** Ends an idle server in the background. */
  retire(server: GovernedServer): void;
}

/** Memory reserved for a server that is starting, until it can be measured. */
export type Grant = Disposable;

export interface MemoryUse {
  readonly budgetBytes: number;
  readonly usedBytes: number;
  /** Bytes of each server with its child processes, by process id; a server that could not be measured is missing. */
  readonly sizes: ReadonlyMap<number, number>;
}

interface GovernorOptions {
  readonly budgetBytes: number;
  readonly log: Log;
  /** Resident bytes by process id; processes that cannot be measured are missing. */
  readonly measure?: (pids: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** How old a measurement may be when a lease ends, or when a pool asks to start a server. */
  readonly maxAgeMs?: Readonly<Record<'lease' | 'start', number>>;
}

/** The size assumed for a server that has not been measured. */
const assumedBytes = 300 * 1024 * 1024;

/** A measurement reads every process of the machine, which is too expensive for every call. */
const defaultMaxAgeMs = { lease: 10_000, start: 500 } as const;

/**
 * To make room for a further server, the most recently used server of another pool is ended only after being unused
 * for this long.
 */
const desertedMs = 60_000;

export class Governor {
  readonly budgetBytes: number;
  readonly #options: GovernorOptions;
  readonly #pools = new Set<GovernedPool>();
  readonly #reserved = new Map<Grant, number>();
  #sizes: ReadonlyMap<number, number> = new Map();
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;

  constructor(options: GovernorOptions) {
    this.#options = options;
    this.budgetBytes = options.budgetBytes;
  }

  join(pool: GovernedPool): Disposable {
    this.#pools.add(pool);
    return { [Symbol.dispose]: () => void this.#pools.delete(pool) };
  }

  /**
   * Reserves memory for the first server of a pool, which is started in any case, and ends idle servers of other
   * pools to make room for it.
   */
  async admitFirst(pool: GovernedPool): Promise<Grant> {
    // If no other server is idle, none can be ended, so the start need not wait for a measurement.
    if (this.#idleBeside(pool).length > 0) await this.#measure('start');
    const lacking = this.#lacking(assumedBytes);
    if (lacking > 0) this.#free(this.#idleBeside(pool), lacking, pool);
    return this.#reserve(assumedBytes);
  }

  /** Reserves memory for a further server of a pool; undefined if there is not enough. */
  async admitFurther(pool: GovernedPool): Promise<Grant | undefined> {
    await this.#measure('start');
    // Replicas do the same work, so the largest one predicts the size of the next.
    const siblings = pool.governed.map((server) => this.#sizeOf(server));
    const expected = siblings.length > 0 ? Math.max(...siblings) : assumedBytes;
    const lacking = this.#lacking(expected);
    if (lacking > 0) {
      const spare = this.#idleBeside(pool).filter(isSpare);
      const freeable = spare.reduce((sum, { server }) => sum + this.#sizeOf(server), 0);
      if (freeable < lacking) return undefined;
      this.#free(spare, lacking, pool);
    }
    return this.#reserve(expected);
  }

  /** Called when a lease ends: if the budget is exceeded, ends idle servers, least recently used first. */
  relieve(): Promise<void> | undefined {
    return this.#isStale('lease') ? this.#relieve() : undefined;
  }

  /** Measures the servers now. */
  async use(): Promise<MemoryUse> {
    await this.#measure('now');
    return { budgetBytes: this.budgetBytes, usedBytes: this.#used(), sizes: this.#sizes };
  }

  async #relieve(): Promise<void> {
    await this.#measure('lease');
    const lacking = this.#lacking(0);
    if (lacking <= 0) return;
    const latest = Math.max(...this.#all().map(({ server }) => server.usedAt));
    const candidates = this.#idle().filter(({ server }) => server.usedAt < latest);
    this.#free(candidates, lacking, undefined);
  }

  /** By how much the running servers, the reservations and `further` bytes exceed the budget. */
  #lacking(further: number): number {
    const reserved = [...this.#reserved.values()].reduce((sum, bytes) => sum + bytes, 0);
    return this.#used() + reserved + further - this.budgetBytes;
  }

  #used(): number {
    return this.#all().reduce((sum, { server }) => sum + this.#sizeOf(server), 0);
  }

  #free(candidates: readonly Placed[], bytes: number, forPool: GovernedPool | undefined): void {
    let freed = 0;
    for (const { pool, server } of candidates) {
      if (freed >= bytes) return;
      const size = this.#sizeOf(server);
      if (size === 0) continue;
      freed += size;
      const room = forPool && { for: forPool.name };
      this.#options.log.info('server.retired', { name: pool.name, why: 'memory', bytes: size, ...room });
      pool.retire(server);
    }
  }

  #reserve(bytes: number): Grant {
    const grant: Grant = { [Symbol.dispose]: () => void this.#reserved.delete(grant) };
    this.#reserved.set(grant, bytes);
    return grant;
  }

  #all(): readonly Placed[] {
    return [...this.#pools].flatMap((pool) => pool.governed.map((server) => ({ pool, server })));
  }

  /** Idle servers, least recently used first. */
  #idle(): readonly Placed[] {
    return this.#all()
      .filter(({ server }) => server.isIdle)
      .sort((a, b) => a.server.usedAt - b.server.usedAt);
  }

  /** Idle servers of all pools but `asking`, which needs its own. */
  #idleBeside(asking: GovernedPool): readonly Placed[] {
    return this.#idle().filter(({ pool }) => pool !== asking);
  }

  #sizeOf({ pid }: GovernedServer): number {
    return pid === undefined ? 0 : (this.#sizes.get(pid) ?? assumedBytes);
  }

  #isStale(purpose: 'lease' | 'start'): boolean {
    const { maxAgeMs = defaultMaxAgeMs } = this.#options;
    return performance.now() - this.#measuredAt >= maxAgeMs[purpose];
  }

  /** Concurrent callers share one measurement. */
  async #measure(purpose: 'lease' | 'start' | 'now'): Promise<void> {
    if (purpose !== 'now' && !this.#isStale(purpose)) return;
    this.#measuring ??= this.#look().finally(() => {
      this.#measuring = undefined;
    });
    await this.#measuring;
  }

  async #look(): Promise<void> {
    const { measure = residentBytesOf } = this.#options;
    const pids = this.#all().flatMap(({ server }) => server.pid ?? []);
    this.#measuredAt = performance.now();
    try {
      this.#sizes = await measure(pids);
    } catch (thrown) {
      // A server that could not be measured counts with its last size, or with the assumed one.
      const code = 'servers/memory-unmeasured';
      this.#options.log.warning('servers.memory-unmeasured', { code, error: messageOf(thrown) });
    }
  }
}

interface Placed {
  readonly pool: GovernedPool;
  readonly server: GovernedServer;
}

/** Whether its pool has a server that was used more recently, or this one has been unused for `desertedMs`. */
function isSpare({ pool, server }: Placed): boolean {
  const isDeserted = performance.now() - server.usedAt >= desertedMs;
  return isDeserted || pool.governed.some(({ usedAt }) => usedAt > server.usedAt);
}
