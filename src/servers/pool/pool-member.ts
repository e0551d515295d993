/**
 * A replica and its state in a pool.
 *
 * Invariant: it is used by one holder, or by the pool, or it is idle.
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
