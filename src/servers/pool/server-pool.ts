/**
 * The running servers of one kind: replicas of one server in one workspace, shown overlays in one way.
 *
 * A pool of one serializes its callers; a pool of N lets N of them work at once. Both are this code. It grows while
 * callers wait, as far as its bound and the governor allow, and shrinks again when replicas are not used.
 *
 * Invariants: a replica has at most one holder; waiters are served in the order they came; a server that
 * died is never handed out; starting one belongs to the pool, so a caller that gives up does not take the
 * start away from the next; what changes on disk while a replica starts reaches it too.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '../../base/channel.ts';
import { abortable } from '../../base/deadline.ts';
import { type Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import type { WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { ProjectionMode } from '../projection-mode.ts';
import { settledDiagnostics } from '../settling.ts';
import { CrashesRepeatedly, CrashRecord } from './crash-record.ts';
import type { GovernedPool, GovernedServer, Governor } from './governor.ts';
import { PoolEvents } from './pool-events.ts';
import { PoolMember } from './pool-member.ts';
import type { PoolState, ServedKind } from './pool-state.ts';
import type { Replica } from './replica.ts';
import { type IdleLimits, Retirement } from './retirement.ts';
import type { ServerEvent } from './server-event.ts';
import { WaitQueue } from './wait-queue.ts';

export interface PoolOptions {
  readonly name: string;
  readonly mode: ProjectionMode;
  /** How many replicas may run at once. */
  readonly size: number;
  readonly governor: Governor;
  /** How long a replica may go unused before it is ended. */
  readonly idleLimits?: IdleLimits | undefined;
  readonly start: (signal: AbortSignal) => Promise<Replica>;
  readonly log: Log;
  /** Hears of servers that came to rest, crashed or came back. */
  readonly events?: Channel<ServerEvent>;
}

/** A replica in somebody's hands; releasing hands it on. */
export interface AcquiredReplica {
  readonly replica: Replica;
  release(): void;
}

/** More replicas than cores would only wait for each other; one in a mount takes a whole view of the files besides. */
export function defaultPoolSize(mode: ProjectionMode): number {
  return Math.min(mode === 'buffers' ? 4 : 2, availableParallelism());
}

/**
 * A replica that nobody takes for so long is shown the disk again. Callers tend to come back at once with the
 * next version of the same edit, and laying the last one off first would have the server do everything twice.
 */
const restMs = 100;

/** How long a replica may take to see the disk again before it is handed on as it is. */
const takeInMs = 5000;

/** How long a new replica may take to load what its siblings have loaded, before it serves as it is. */
const warmUpMs = 60_000;

/** A start under way, and what its replica must be told as soon as it runs. */
interface PendingStart {
  begunAt: number;
  isOutdated: boolean;
  readonly received: FileEvent[];
  readonly receivedOutside: WatchedFileEvent[];
}

export class ServerPool implements GovernedPool, AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #life = new AbortController();
  /** Each is offered a server that it may take in hand. */
  readonly #waiters = new WaitQueue<() => AcquiredReplica>();
  readonly #members = new Set<PoolMember>();
  readonly #starts = new Map<PendingStart, Promise<void>>();
  /** Work of the pool's own that disposing waits for. */
  readonly #chores = new Set<Promise<void>>();
  /** Servers found dead whose last words are still to come; no start is decided on without them. */
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

  /** What the server is that runs here, or ran last: one that was ended for want of use is still there for whoever asks. */
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

  /** Has a server running and leaves it to whoever comes next: nobody waits, so nothing grows for it. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#members.size > 0) return;
    const [start] = this.#starts.values();
    await (start ? abortable(start, signal) : this.#await(() => undefined, signal));
  }

  #await<T>(take: (hold: () => AcquiredReplica) => T, signal: AbortSignal): Promise<T> {
    const served = this.#waiters.join(take, signal);
    this.#serve();
    return served;
  }

  /** Passes on what changed on disk to every replica, busy or not. */
  queueDiskEvents(events: readonly FileEvent[]): void {
    for (const { replica } of this.#members) replica.queueDiskEvents(events);
    for (const { received } of this.#starts.keys()) for (const event of events) received.push(event);
  }

  /** As `hear`, for files outside the workspace. */
  queueOutsideEvents(events: readonly WatchedFileEvent[]): void {
    for (const { replica } of this.#members) replica.queueOutsideEvents(events);
    for (const { receivedOutside } of this.#starts.keys())
      for (const event of events) receivedOutside.push(event);
  }

  /** Replaces every replica by a new one as soon as nobody holds it. */
  async renew(): Promise<void> {
    for (const pending of this.#starts.keys()) pending.isOutdated = true;
    for (const member of this.#members) member.isOutdated = true;
    const idle = [...this.#members].filter(({ isIdle }) => isIdle);
    await Promise.all(idle.map((member) => this.#end(member)));
  }

  /** Ends every replica at once, held or not, and forgets its crashes; whoever comes next gets a new one. */
  async restart(): Promise<void> {
    this.#crashes.clear();
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  /** Ends an idle replica without making anybody wait for it. */
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

  /** What was used last shows what is most likely wanted again; the others come to be idle for long. */
  #latestIdle(): PoolMember | undefined {
    let latest: PoolMember | undefined;
    for (const member of this.#members) {
      if (member.isIdle && (latest === undefined || member.usedAt >= latest.usedAt)) latest = member;
    }
    return latest;
  }

  /**
   * The first server starts alone: what it takes tells what another would, and one that cannot start is not
   * tried many times over. A member the pool itself has in hand is about to be free, and is waited for.
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
      // Without a new server nothing has changed for those who wait for the ones there are.
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

  /** After crashes a start is put off, and in the end refused; nobody may be left to want it by then. */
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
    // Whoever waits while another replica runs is served by that one.
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
    replica.queueDiskEvents(received);
    replica.queueOutsideEvents(receivedOutside);
    const onCrash = (failure: Failure) => this.#crashes.add(failure, begunAt);
    this.#poolEvents.follow(replica.server, onCrash, this.#life.signal);
    this.#retirement.planAnew();
    const isChecked = replica.definition.fullCheck !== undefined && replica.shown !== undefined;
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

  /** Nobody has it in hand any more. */
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
    // A replica in a mount is left as it is: nobody else can look at its files, and writing them costs.
    if (replica.mode !== 'buffers' || !replica.showsOverlay) return;
    const layOff = () => {
      member.take('attended');
      this.#chore(this.#layOff(replica), member, 'lay-off');
    };
    member.rest = setTimeout(layOff, restMs).unref();
  }

  /**
   * A server that is asked takes changes in when it is: left for the next caller, the way back to the disk would be
   * worked out together with what that one shows, which for two files at once costs some servers all they had prepared.
   */
  async #layOff(replica: Replica): Promise<void> {
    await replica.showDisk();
    const { lastAsked, definition } = replica;
    if (lastAsked === undefined || definition.settle.mode !== 'pull') return;
    await settledDiagnostics(replica, [lastAsked], { timeoutMs: takeInMs }, this.#life.signal);
  }

  /**
   * Work of the pool on a member it has in hand; whoever comes meanwhile waits their turn. When it fails the next
   * holder shows its own overlay from whatever state this left, and a dead server is replaced.
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
      // The process is gone already; what is left is the ground it ran in.
      this.#dispose(member);
    }
  }

  /** Ends a replica without making anybody wait for it. */
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
