/**
 * The running servers of one kind: replicas of one server in one workspace that show overlays in one mode.
 *
 * Terms. A *replica* is one running server with its projection. A *member* is a replica of the pool: held by a caller,
 * attended by the pool itself (warm-up, return to the disk) or idle. A *holder* is a caller from the moment `acquire`
 * resolves until it calls `release`. A *waiter* is a queued call of `acquire` or `run`. A *start* lasts from the
 * decision to add a replica until it is a member or has failed; it includes waiting for the governor and after a crash.
 *
 * Invariants:
 * 1. A replica has at most one holder, and none while the pool attends it.
 * 2. Waiters are served in order of arrival. A waiter leaves the queue when it is served, when its signal aborts, when
 *    a start fails while there is no member (the first waiter; all of them once starts are refused), or at disposal.
 * 3. A replica is handed out only if its server is running at that moment. A dead server is replaced, not repaired.
 * 4. A start belongs to the pool. A waiter that gives up does not abort it; its replica goes to the next waiter or stays
 *    idle. Only before the process is started is it dropped if no waiter is left.
 * 5. Disk events reported during a start are queued to its replica before a caller can hold it; `Replica.show` sends
 *    them before it shows anything. A replica that was starting during `renew` is never handed out.
 * 6. Members and starts are at most `size` together, and without a member there is one start at a time. Starts begin
 *    only for waiters in excess of attended members, each with a grant of the governor.
 * 7. While its server runs, a held replica is ended only by `restart` and disposal. `renew`, idle limits and the
 *    governor end it after its release.
 * 8. When disposal resolves, every start, replica and background task has ended. A disposed pool starts nothing.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../../base/deadline.ts';
import { type Failure, messageOf } from '../../base/failure.ts';
import { WaitQueue } from '../../base/fifo-lock.ts';
import type { WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { ProjectionMode } from '../projection.ts';
import { settledDiagnostics } from '../settling.ts';
import { CrashesRepeatedly, CrashRecord } from './crash-record.ts';
import type { GovernedPool, GovernedServer } from './governor.ts';
import { PoolEvents } from './pool-events.ts';
import type { PoolOptions } from './pool-options.ts';
import type { PoolState, ServedKind } from './pool-state.ts';
import { PoolMember, type Replica, Retirement } from './replica.ts';

/** A replica and its holder's right to use it, until `release`. */
export interface AcquiredReplica {
  readonly replica: Replica;
  release(): void;
}

/** More replicas than cores would compete for them; a replica in a mount also needs a view of all files. */
export function defaultPoolSize(mode: ProjectionMode): number {
  return Math.min(mode === 'buffers' ? 4 : 2, availableParallelism());
}

/**
 * An idle replica is shown the disk again after this delay. Callers often return at once with the next version of the
 * same edit; showing the disk in between would make the server compute everything twice.
 */
const restMs = 100;

/** How long a server may take to process the return to the disk before it is handed out anyway. */
const takeInMs = 5000;

/** How long a new replica may take to load what the other replicas have loaded before it is handed out anyway. */
const warmUpMs = 60_000;

/** A start in progress, and the file events its replica must receive. */
interface PendingStart {
  begunAt: number;
  isOutdated: boolean;
  readonly received: FileEvent[];
  readonly receivedOutside: WatchedFileEvent[];
}

export class ServerPool implements GovernedPool, AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #life = new AbortController();
  /** A waiter is offered a function that makes it the holder; `run` does not call it. */
  readonly #waiters = new WaitQueue<() => AcquiredReplica>();
  readonly #members = new Set<PoolMember>();
  readonly #starts = new Map<PendingStart, Promise<void>>();
  /** Background work of the pool that disposal waits for. */
  readonly #chores = new Set<Promise<void>>();
  /** Servers found dead whose exit is not reported yet. A start waits for it, because the crash record needs it. */
  readonly #deaths = new Set<Promise<unknown>>();
  readonly #crashes: CrashRecord;
  readonly #membership: Disposable;
  readonly #retirement: Retirement;
  readonly #poolEvents: PoolEvents;
  #served: ServedKind | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#crashes = new CrashRecord(options.name);
    this.#membership = options.governor.join(this);
    this.#poolEvents = new PoolEvents(options.name, options.events, options.log);
    const retire = (member: PoolMember) => {
      options.log.info('server.retired', { name: options.name, why: 'idle' });
      this.#dispose(member);
    };
    this.#retirement = new Retirement(this.#members, retire, options.idleLimits);
  }

  get name(): string {
    return this.#options.name;
  }

  get replicas(): readonly Replica[] {
    return [...this.#members].map(({ replica }) => replica);
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** The server that runs here or ran last; it stays known after the last replica was ended for being idle. */
  get served(): ServedKind | undefined {
    return this.#served;
  }

  get governed(): readonly PoolMember[] {
    return [...this.#members];
  }

  get state(): PoolState {
    const { name, mode } = this.#options;
    const now = performance.now();
    const servers = [...this.#members].map(({ pid, isIdle, startedAt }) => {
      return { pid, state: isIdle ? ('idle' as const) : ('busy' as const), ageMs: now - startedAt };
    });
    return { name, mode, waiting: this.waiting, starting: this.#starts.size, servers };
  }

  acquire(signal: AbortSignal): Promise<AcquiredReplica> {
    return this.#await((hold) => hold(), signal);
  }

  /**
   * Makes sure that a server is running, without acquiring it. It queues only if nothing runs or starts, so the pool
   * does not grow for it.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#members.size > 0) return;
    const [start] = this.#starts.values();
    await (start ? abortable(start, signal) : this.#await(() => undefined, signal));
  }

  async #await<T>(take: (hold: () => AcquiredReplica) => T, signal: AbortSignal): Promise<T> {
    this.#life.signal.throwIfAborted();
    const served = this.#waiters.join(take, signal);
    this.#serve();
    return served;
  }

  /** Queues changes on disk for every replica and every start. */
  queueDiskEvents(events: readonly FileEvent[]): void {
    for (const { replica } of this.#members) replica.unheard.addDisk(events);
    for (const { received } of this.#starts.keys()) for (const event of events) received.push(event);
  }

  /** As `queueDiskEvents`, for files outside the workspace. */
  queueOutsideEvents(events: readonly WatchedFileEvent[]): void {
    for (const { replica } of this.#members) replica.unheard.addOutside(events);
    for (const { receivedOutside } of this.#starts.keys())
      for (const event of events) receivedOutside.push(event);
  }

  /** Replaces every replica by a new one as soon as it is idle. */
  async renew(): Promise<void> {
    for (const pending of this.#starts.keys()) pending.isOutdated = true;
    for (const member of this.#members) member.isOutdated = true;
    const idle = [...this.#members].filter(({ isIdle }) => isIdle);
    await Promise.all(idle.map((member) => this.#end(member)));
  }

  /** Ends every replica at once, held or not, and clears the crash record; the next caller gets a new one. */
  async restart(): Promise<void> {
    this.#crashes.clear();
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  /** Ends an idle replica in the background. */
  retire(server: GovernedServer): void {
    for (const member of this.#members) if (member === server && member.isIdle) this.#dispose(member);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Error(`${this.name} was shut down`);
    this.#life.abort(ended);
    this.#membership[Symbol.dispose]();
    this.#retirement[Symbol.dispose]();
    this.#waiters.failAll(ended);
    await Promise.all(this.#starts.values());
    await this.restart();
    await Promise.all(this.#chores);
  }

  #serve(): void {
    this.#dropDead();
    while (this.#waiters.length > 0) {
      const member = this.#latestIdle();
      if (!member) break;
      this.#waiters.serveFirst(() => this.#hold(member));
    }
    this.#grow();
  }

  /** The most recently used replica most likely shows what is wanted next. The others stay idle and are retired. */
  #latestIdle(): PoolMember | undefined {
    let latest: PoolMember | undefined;
    for (const member of this.#members) {
      if (member.isIdle && (latest === undefined || member.usedAt >= latest.usedAt)) latest = member;
    }
    return latest;
  }

  /**
   * The first server starts alone: its size predicts that of the others, and a server that cannot start is not
   * started many times at once. A member that the pool attends will soon be idle, so no server is started in its
   * place.
   */
  #grow(): void {
    if (this.#life.signal.aborted || this.#waiters.length === 0) return;
    const isFirst = this.#members.size === 0;
    if (!isFirst && this.#crashes.refusal) return;
    const coming = [...this.#members].filter(({ state }) => state === 'attended').length;
    const bound = isFirst ? 1 : this.#options.size - this.#members.size;
    const wanted = Math.min(this.#waiters.length - coming, bound);
    while (this.#starts.size < wanted) this.#begin(isFirst ? 'first' : 'further');
  }

  #begin(kind: 'first' | 'further'): void {
    const pending = { begunAt: performance.now(), isOutdated: false, received: [], receivedOutside: [] };
    const start = this.#start(kind, pending).then((outcome) => {
      this.#starts.delete(pending);
      // Without a new server nothing has changed for waiters while other members exist.
      if (outcome === 'started' || this.#members.size === 0) this.#serve();
    });
    this.#starts.set(pending, start);
  }

  async #start(kind: 'first' | 'further', pending: PendingStart): Promise<'started' | 'not-started'> {
    const { governor } = this.#options;
    using grant = await (kind === 'first' ? governor.admitFirst(this) : governor.admitFurther(this));
    if (!grant) return 'not-started';
    try {
      const replica = await this.#startWhenAllowed(pending);
      if (replica) this.#enter(replica, pending);
      return replica ? 'started' : 'not-started';
    } catch (thrown) {
      this.#startFailed(thrown, pending);
      return 'not-started';
    }
  }

  /** After crashes a start is delayed and finally refused. If no waiter is left after the delay, nothing is started. */
  async #startWhenAllowed(pending: PendingStart): Promise<Replica | undefined> {
    await Promise.all(this.#deaths);
    const { refusal, pauseMs } = this.#crashes;
    if (refusal) throw refusal;
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: this.#life.signal });
    if (this.#waiters.length === 0) return undefined;
    pending.begunAt = performance.now();
    return this.#options.start(this.#life.signal);
  }

  #startFailed(thrown: unknown, { begunAt }: PendingStart): void {
    if (this.#life.signal.aborted) return;
    if (!(thrown instanceof CrashesRepeatedly)) {
      this.#options.log.warning('server.start-failed', { name: this.name, error: messageOf(thrown) });
      this.#crashes.add(thrown, begunAt);
    }
    // While another replica runs, waiters wait for that one.
    if (this.#members.size > 0) return;
    const { refusal } = this.#crashes;
    if (refusal) this.#waiters.failAll(refusal);
    else this.#waiters.failFirst(thrown);
  }

  #enter(replica: Replica, { begunAt, isOutdated, received, receivedOutside }: PendingStart): void {
    const member = new PoolMember(replica, begunAt);
    member.isOutdated = isOutdated;
    const example = [...this.#members].find((sibling) => sibling.replica.lastAsked)?.replica.lastAsked;
    this.#members.add(member);
    this.#served = { definition: replica.definition, capabilities: replica.server.capabilities };
    replica.unheard.addDisk(received);
    replica.unheard.addOutside(receivedOutside);
    const onCrash = (failure: Failure) => this.#crashes.add(failure, begunAt);
    this.#poolEvents.follow(replica.server, onCrash, this.#life.signal);
    this.#retirement.planAnew();
    const isChecked = replica.definition.fullCheck !== undefined && replica.setup.shown !== undefined;
    if (example === undefined || isChecked) this.#putBack(member);
    else
      this.#chore(
        settledDiagnostics(replica, [example], { timeoutMs: warmUpMs }, this.#life.signal),
        member,
        'warm-up',
      );
  }

  #hold(member: PoolMember): AcquiredReplica {
    member.take('held');
    let released = false;
    return {
      replica: member.replica,
      release: () => {
        if (released) return;
        released = true;
        member.usedAt = performance.now();
        this.#putBack(member);
        this.#own(this.#options.governor.relieve());
      },
    };
  }

  /** Called when the holder or the pool is done with the member. */
  #putBack(member: PoolMember): void {
    if (this.#members.has(member)) {
      if (member.isOutdated) this.#dispose(member);
      else this.#rest(member);
    }
    this.#serve();
  }

  #rest(member: PoolMember): void {
    member.state = 'idle';
    this.#retirement.plan();
    const { replica } = member;
    // In a mount the overlay stays: no other client can see its files, and restoring them costs writes.
    if (replica.setup.mode !== 'buffers' || !replica.showsOverlay) return;
    const layOff = () => {
      member.take('attended');
      this.#chore(this.#layOff(replica), member, 'lay-off');
    };
    member.rest = setTimeout(layOff, restMs).unref();
  }

  /**
   * A pull server processes changes when it is asked. Without the request here, it would process the return to the
   * disk together with the next caller's overlay; for two files at once, some servers then drop all cached state.
   */
  async #layOff(replica: Replica): Promise<void> {
    await replica.showDisk();
    const { lastAsked, definition } = replica;
    if (lastAsked === undefined || definition.settle.mode !== 'pull') return;
    await settledDiagnostics(replica, [lastAsked], { timeoutMs: takeInMs }, this.#life.signal);
  }

  /**
   * Runs work of the pool on a member that it attends; callers wait meanwhile. If the work fails, the next holder
   * still shows its own overlay, whatever state the server is in, and a dead server is replaced.
   */
  #chore(work: Promise<unknown>, member: PoolMember, what: 'warm-up' | 'lay-off'): void {
    const done = work
      .catch((thrown: unknown) => {
        if (this.#life.signal.aborted) return;
        const code = `servers/${what}-failed`;
        this.#options.log.warning(`server.${what}-failed`, {
          name: this.name,
          code,
          error: messageOf(thrown),
        });
      })
      .then(() => this.#putBack(member));
    this.#own(done);
  }

  #dropDead(): void {
    for (const member of [...this.#members]) {
      const { server } = member.replica;
      if (server.isRunning) continue;
      const death = server.exited.finally(() => this.#deaths.delete(death));
      this.#deaths.add(death);
      // The process has exited; what remains to dispose is its site.
      this.#dispose(member);
    }
  }

  /** Ends a replica in the background. */
  #dispose(member: PoolMember): void {
    this.#own(
      this.#end(member).catch((thrown: unknown) => {
        const { name, log } = this.#options;
        log.warning('server.clean-up-failed', { name, error: messageOf(thrown) });
      }),
    );
  }

  async #end(member: PoolMember): Promise<void> {
    this.#members.delete(member);
    this.#retirement.planAnew();
    clearTimeout(member.rest);
    await member.replica[Symbol.asyncDispose]();
  }

  #own(work: Promise<void> | undefined): void {
    if (!work) return;
    const owned = work.finally(() => this.#chores.delete(owned));
    this.#chores.add(owned);
  }
}
