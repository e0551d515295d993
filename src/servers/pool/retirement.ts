/**
 * Ends the replicas of a pool that nobody has used for long, the longest unused first.
 *
 * Invariant: one timer to a pool at most, and none that keeps the process running.
 */
import type { PoolMember } from './pool-member.ts';

export interface IdleLimits {
  /** For a replica that is not the only one of its pool. */
  readonly spareMs: number;
  /** For the only one: whoever comes next has to wait for a new server. */
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

  /** A member has come to be idle. */
  plan(): void {
    if (this.#timer || this.#isOver) return;
    const next = this.#longestIdle();
    if (!next) return;
    const inMs = Math.max(1, next.dueAt - performance.now());
    this.#timer = setTimeout(() => this.#wake(), inMs).unref();
  }

  /** A member has come or gone, and with it the limit that holds for the others has changed. */
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

  /** A server that somebody else keeps running is left to them. */
  #longestIdle(): { readonly member: PoolMember; readonly dueAt: number } | undefined {
    let longest: PoolMember | undefined;
    for (const member of this.#members) {
      if (!member.isIdle || member.replica.isShared) continue;
      if (longest === undefined || member.usedAt < longest.usedAt) longest = member;
    }
    const { spareMs, lastMs } = this.#limits;
    return (
      longest && { member: longest, dueAt: longest.usedAt + (this.#members.size > 1 ? spareMs : lastMs) }
    );
  }
}
