/**
 * A replica and its state in a pool, and the end of replicas that were idle for too long, least recently used first.
 *
 * Invariants: a member is used by one holder, or by the pool, or it is idle. There is at most one timer for retirement per
 * pool, and it does not keep the process running.
 */
import type { GovernedServer } from './governor.ts';
import type { Replica } from './replica.ts';

/** `attended`: the pool itself uses it, to warm it up or to show it the disk again. */
type MemberState = 'idle' | 'held' | 'attended';

export class PoolMember implements GovernedServer {
  readonly replica: Replica;
  readonly startedAt: number;
  /** When a caller last released it; before the first release, when it started. */
  usedAt: number;
  state: MemberState = 'attended';
  /** Whether it is to be ended as soon as its user is done. */
  isOutdated = false;
  /** The timer after which it is shown the disk again. */
  rest: NodeJS.Timeout | undefined;

  constructor(replica: Replica, startedAt: number) {
    this.replica = replica;
    this.startedAt = startedAt;
    this.usedAt = startedAt;
  }

  get pid(): number | undefined {
    return this.replica.server.pid;
  }

  get isIdle(): boolean {
    return this.state === 'idle';
  }

  /** Marks it as used. */
  take(state: 'held' | 'attended'): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.state = state;
  }
}

export interface IdleLimits {
  /** For a replica that is not the only one of its pool. */
  readonly spareMs: number;
  /** For the only replica: after it is ended, the next caller must wait for a start. */
  readonly lastMs: number;
}

const minute = 60_000;
const defaultLimits: IdleLimits = { spareMs: 5 * minute, lastMs: 15 * minute };

export class Retirement implements Disposable {
  readonly #members: ReadonlySet<PoolMember>;
  readonly #limits: IdleLimits;
  readonly #retire: (member: PoolMember) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    members: ReadonlySet<PoolMember>,
    retire: (member: PoolMember) => void,
    limits: IdleLimits = defaultLimits,
  ) {
    this.#members = members;
    this.#retire = retire;
    this.#limits = limits;
  }

  /** Call when a member becomes idle. */
  plan(): void {
    if (this.#timer || this.#isOver) return;
    const next = this.#longestIdle();
    if (!next) return;
    const inMs = Math.max(1, next.dueAt - performance.now());
    this.#timer = setTimeout(() => this.#wake(), inMs).unref();
  }

  /** Call when a member was added or removed, which changes the limit for the others. */
  planAnew(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.plan();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wake(): void {
    this.#timer = undefined;
    const next = this.#longestIdle();
    if (next && next.dueAt <= performance.now()) this.#retire(next.member);
    this.plan();
  }

  /** Servers shared with other clients are not ours to end. */
  #longestIdle(): { readonly member: PoolMember; readonly dueAt: number } | undefined {
    let longest: PoolMember | undefined;
    for (const member of this.#members) {
      if (!member.isIdle || member.replica.setup.isShared) continue;
      if (longest === undefined || member.usedAt < longest.usedAt) longest = member;
    }
    const { spareMs, lastMs } = this.#limits;
    return (
      longest && { member: longest, dueAt: longest.usedAt + (this.#members.size > 1 ? spareMs : lastMs) }
    );
  }
}
