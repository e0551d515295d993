/**
 * A replica and its place in a pool.
 *
 * Invariant: it is in one hand at a time, a caller's or the pool's own; only one in no hand at all is idle.
 */
import type { GovernedServer } from './governor.ts';
import type { Replica } from './replica.ts';

/** `attended`: the pool itself has it in hand, to warm it or to lay its overlay off. */
type MemberState = 'idle' | 'held' | 'attended';

export class PoolMember implements GovernedServer {
  readonly replica: Replica;
  readonly startedAt: number;
  /** When a caller last held it; before the first, when it started. */
  usedAt: number;
  state: MemberState = 'attended';
  /** To be ended when whoever has it in hand is done. */
  isOutdated = false;
  /** When it is shown the disk again. */
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

  /** Takes it in hand. */
  take(state: 'held' | 'attended'): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.state = state;
  }
}
