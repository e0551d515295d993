/**
 * Keeps the servers of all pools of this process within one memory budget.
 *
 * It is asked before a server starts and told when one comes back from a caller; what it measures is the resident
 * memory of each server's whole process tree.
 *
 * Invariants: a held server is never ended; the first server of a pool is never refused; what was used last is
 * not ended for being large, since the next call would only start it again.
 */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { residentBytesOf } from '../../process/process-memory.ts';

/** A running server as the governor sees it. */
export interface GovernedServer {
  /** Absent for a server that runs elsewhere: its memory is not ours to count. */
  readonly pid: number | undefined;
  readonly isIdle: boolean;
  /** When a caller last held it, by `performance.now()`. */
  readonly usedAt: number;
}

export interface GovernedPool {
  readonly name: string;
  readonly governed: readonly GovernedServer[];
  /** Ends an idle server without making anybody wait for it. */
  retire(server: GovernedServer): void;
}

/** Memory set aside for a server that is starting, until it can be measured. */
export type Grant = Disposable;

export interface MemoryUse {
  readonly budgetBytes: number;
  readonly usedBytes: number;
  /** Of each server with its children, by process id; one that could not be measured is missing. */
  readonly sizes: ReadonlyMap<number, number>;
}

interface GovernorOptions {
  readonly budgetBytes: number;
  readonly log: Log;
  /** Resident bytes by process id; a process that cannot be measured is left out. */
  readonly measure?: (pids: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** How old a measurement may be when a lease ends, or somebody asks for room. */
  readonly maxAgeMs?: Readonly<Record<'lease' | 'start', number>>;
}

/** What a server is taken to need before anything is known of its kind. */
const assumedBytes = 300 * 1024 * 1024;

/** Measuring looks through every process of the machine, which is no price for every single call. */
const defaultMaxAgeMs = { lease: 10_000, start: 500 } as const;

/** To make room for a further server, the last one of another pool goes only when nobody has used it for so long. */
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

  /** Sets memory aside for a pool's first server, which is started in any case, and makes room for it elsewhere. */
  async admitFirst(pool: GovernedPool): Promise<Grant> {
    // Where nothing runs there is nothing to measure, and no start is kept waiting for it.
    if (this.#idleBeside(pool).length > 0) await this.#measure('start');
    const lacking = this.#lacking(assumedBytes);
    if (lacking > 0) this.#free(this.#idleBeside(pool), lacking, pool);
    return this.#reserve(assumedBytes);
  }

  /** Sets memory aside for a further server of a pool that has some; undefined where there is not enough. */
  async admitFurther(pool: GovernedPool): Promise<Grant | undefined> {
    await this.#measure('start');
    // Its siblings do the same work, so the largest of them says what it will come to.
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

  /** A lease has ended: where memory is short, servers nobody holds go, the longest unused first. */
  relieve(): Promise<void> | undefined {
    return this.#isStale('lease') ? this.#relieve() : undefined;
  }

  /** What the servers take, measured now. */
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

  /** How far the budget falls short of what runs, what is about to run and `further` bytes. */
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

  /** Those nobody holds, the longest unused first. */
  #idle(): readonly Placed[] {
    return this.#all()
      .filter(({ server }) => server.isIdle)
      .sort((a, b) => a.server.usedAt - b.server.usedAt);
  }

  /** As `#idle`, but for those of a pool that asks: whatever it has is what it needs. */
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

  /** Callers that come while a measurement is under way share it. */
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
      // What cannot be measured is counted as it was last seen, or as assumed.
      const code = 'servers/memory-unmeasured';
      this.#options.log.warning('servers.memory-unmeasured', { code, error: messageOf(thrown) });
    }
  }
}

interface Placed {
  readonly pool: GovernedPool;
  readonly server: GovernedServer;
}

/** Whether its pool has a server that was used later, or nobody has come to the pool for long. */
function isSpare({ pool, server }: Placed): boolean {
  const isDeserted = performance.now() - server.usedAt >= desertedMs;
  return isDeserted || pool.governed.some(({ usedAt }) => usedAt > server.usedAt);
}
