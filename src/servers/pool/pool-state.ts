/** The status of a pool. */
import type { Capabilities } from '../../lsp/capabilities.ts';
import type { ProjectionMode } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';

/** The kind and the capabilities of a server that has run. */
export interface ServedKind {
  readonly definition: ServerDefinition;
  readonly capabilities: Capabilities;
}

/** What a pool is doing, for status reports. */
export interface PoolState {
  readonly name: string;
  readonly mode: ProjectionMode;
  /** Callers in the queue. */
  readonly waiting: number;
  readonly starting: number;
  readonly servers: readonly {
    readonly pid: number | undefined;
    readonly state: 'busy' | 'idle';
    readonly ageMs: number;
  }[];
}
