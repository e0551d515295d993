/** What a pool of servers is made from. */
import type { Channel } from '../../base/channel.ts';
import type { Log } from '../../base/log.ts';
import type { ProjectionMode } from '../projection.ts';
import type { Governor } from './governor.ts';
import type { IdleLimits, Replica } from './replica.ts';
import type { ServerEvent } from './server-event.ts';

export interface PoolOptions {
  readonly name: string;
  readonly mode: ProjectionMode;
  /** How many replicas may run at once. */
  readonly size: number;
  readonly governor: Governor;
  /** How long a replica may be idle before it is ended. */
  readonly idleLimits?: IdleLimits | undefined;
  readonly start: (signal: AbortSignal) => Promise<Replica>;
  readonly log: Log;
  /** Receives `ready`, `crashed` and `recovered`. */
  readonly events?: Channel<ServerEvent>;
}
