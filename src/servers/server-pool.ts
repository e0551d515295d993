/**
 * The running servers of one kind: replicas of one server in one workspace, shown overlays in one way.
 *
 * A pool of one serializes its callers; a pool of N lets N of them work at once. Both are this code.
 *
 * Invariants: a replica has at most one holder; waiters are served in the order they came; a server that
 * died is never handed out; starting one belongs to the pool, so a caller that gives up does not take the
 * start away from the next.
 */
import type { Channel } from '../base/channel.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { FileEvent } from '../workspace/watcher.ts';
import type { OutsideEvent } from './file-events.ts';
import type { Replica } from './replica.ts';
import type { ServerEvent } from './server-event.ts';

export interface PoolOptions {
  readonly name: string;
  readonly size: number;
  readonly start: (signal: AbortSignal) => Promise<Replica>;
  readonly log: Log;
  /** Hears of servers that came to rest, crashed or came back. */
  readonly events?: Channel<ServerEvent>;
}

/** A replica in somebody's hands; releasing hands it on. */
export interface HeldReplica {
  readonly replica: Replica;
  release(): void;
}

/**
 * A replica that nobody takes for so long is shown the disk again. Callers tend to come back at once with the
 * next version of the same edit, and laying the last one off first would have the server do everything twice.
 */
const restMs = 100;

interface Waiter {
  readonly take: (held: HeldReplica) => void;
  readonly fail: (thrown: unknown) => void;
}

export class ServerPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #life = new AbortController();
  readonly #waiters: Waiter[] = [];
  readonly #replicas = new Set<Replica>();
  readonly #idle: Replica[] = [];
  /** When an idle replica is shown the disk again. */
  readonly #resting = new Map<Replica, NodeJS.Timeout>();
  /** Held by somebody, and to be ended when they are done. */
  readonly #outdated = new Set<Replica>();
  readonly #starts = new Set<Promise<void>>();
  /** Replicas on their way out; disposing the pool waits for them. */
  readonly #endings = new Set<Promise<void>>();
  #hasCrashed = false;
  #isReady = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get replicas(): readonly Replica[] {
    return [...this.#replicas];
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  acquire(signal: AbortSignal): Promise<HeldReplica> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.#waiters.indexOf(waiter);
        if (place >= 0) this.#waiters.splice(place, 1);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        take: (held) => {
          signal.removeEventListener('abort', leave);
          resolve(held);
        },
        fail: (thrown) => {
          signal.removeEventListener('abort', leave);
          reject(thrown);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.push(waiter);
      this.#serve();
    });
  }

  /** Passes on what changed on disk to every replica, busy or not. */
  hear(events: readonly FileEvent[]): void {
    for (const replica of this.#replicas) replica.hear(events);
  }

  /** As `hear`, for files outside the workspace. */
  hearOutside(events: readonly OutsideEvent[]): void {
    for (const replica of this.#replicas) replica.hearOutside(events);
  }

  /** Replaces every replica by a new one as soon as nobody holds it. */
  async renew(): Promise<void> {
    const idle = this.#idle.splice(0);
    for (const replica of this.#replicas) this.#outdated.add(replica);
    await Promise.all(idle.map((replica) => this.#end(replica)));
  }

  /** Ends every replica at once, held or not; whoever comes next gets a new one. */
  async restart(): Promise<void> {
    const replicas = [...this.#replicas];
    this.#replicas.clear();
    this.#idle.length = 0;
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Error(`${this.#options.name} was shut down`);
    this.#life.abort(ended);
    for (const waiter of this.#waiters.splice(0)) waiter.fail(ended);
    for (const timer of this.#resting.values()) clearTimeout(timer);
    await Promise.allSettled(this.#starts);
    await this.restart();
    await Promise.all(this.#endings);
  }

  #serve(): void {
    this.#dropDead();
    while (this.#waiters.length > 0) {
      const replica = this.#idle.shift();
      if (!replica) break;
      clearTimeout(this.#resting.get(replica));
      this.#waiters.shift()?.take(this.#hold(replica));
    }
    const wanted = Math.min(this.#waiters.length, this.#options.size - this.#replicas.size);
    while (this.#starts.size < wanted) this.#start();
  }

  #hold(replica: Replica): HeldReplica {
    let released = false;
    return {
      replica,
      release: () => {
        if (released) return;
        released = true;
        if (this.#outdated.has(replica)) this.#dispose(replica);
        else if (this.#replicas.has(replica)) this.#rest(replica);
        this.#serve();
      },
    };
  }

  #rest(replica: Replica): void {
    this.#idle.push(replica);
    // A replica in a mount is left as it is: nobody else can look at its files, and writing them costs.
    if (replica.way !== 'buffers' || !replica.showsOverlay) return;
    this.#resting.set(replica, setTimeout(() => this.#layOff(replica), restMs).unref());
  }

  /** Takes an idle replica in hand to show it the disk; whoever comes meanwhile waits their turn. */
  #layOff(replica: Replica): void {
    const place = this.#idle.indexOf(replica);
    if (place < 0) return;
    this.#idle.splice(place, 1);
    const held = this.#hold(replica);
    replica
      .showDisk()
      .catch((thrown: unknown) => {
        // The next holder shows its own overlay from whatever state this left; a dead server is replaced.
        const { name, log } = this.#options;
        log.warning('server.lay-off-failed', {
          name,
          code: 'servers/lay-off-failed',
          error: messageOf(thrown),
        });
      })
      .finally(() => held.release());
  }

  #start(): void {
    const start = this.#options
      .start(this.#life.signal)
      .then(
        (replica) => {
          this.#replicas.add(replica);
          this.#idle.push(replica);
          this.#follow(replica);
        },
        (thrown: unknown) => {
          this.#options.log.warning('server.start-failed', {
            name: this.#options.name,
            error: messageOf(thrown),
          });
          this.#waiters.shift()?.fail(thrown);
        },
      )
      .finally(() => {
        this.#starts.delete(start);
        this.#serve();
      });
    this.#starts.add(start);
  }

  /** Tells what becomes of a replica, until its end. */
  #follow(replica: Replica): void {
    const { name, events } = this.#options;
    if (!events) return;
    if (this.#hasCrashed) {
      this.#hasCrashed = false;
      events.emit({ kind: 'recovered', server: name, message: `${name} is running again` });
    }
    // Both promises end with the server; neither is anybody's to wait for.
    replica.server.progress.whenIdle(this.#life.signal).then(
      () => this.#tellReady(),
      () => undefined,
    );
    replica.server.exited.then((exit) => {
      if (exit.kind !== 'crashed') return;
      this.#hasCrashed = true;
      events.emit({ kind: 'crashed', server: name, message: exit.failure.message });
    });
  }

  #tellReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { name, events } = this.#options;
    events?.emit({ kind: 'ready', server: name, message: `${name} has loaded the workspace` });
  }

  #dropDead(): void {
    for (const replica of [...this.#replicas]) {
      if (replica.server.isRunning) continue;
      const place = this.#idle.indexOf(replica);
      if (place >= 0) this.#idle.splice(place, 1);
      // The process is gone already; what is left is the ground it ran in.
      this.#dispose(replica);
    }
  }

  /** Ends a replica without making anybody wait for it. */
  #dispose(replica: Replica): void {
    const ending = this.#end(replica)
      .catch((thrown: unknown) => {
        const { name, log } = this.#options;
        log.warning('server.clean-up-failed', { name, error: messageOf(thrown) });
      })
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  async #end(replica: Replica): Promise<void> {
    this.#replicas.delete(replica);
    this.#outdated.delete(replica);
    clearTimeout(this.#resting.get(replica));
    this.#resting.delete(replica);
    await replica[Symbol.asyncDispose]();
  }
}
