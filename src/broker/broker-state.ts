/** The state of a broker, and the requests that only a broker answers. */

/** Requests besides LSP, answered before any handshake. */
export const brokerRequests = {
  /** Answered with a BrokerState. */
  state: 'forerun/brokerState',
  /** Answered before the broker stops. */
  stop: 'forerun/stop',
} as const;

export interface BrokerState {
  /** The version of the running program. */
  readonly version: string;
  /** Hash of everything the server was started with; see `identityOf`. */
  readonly identity: string;
  readonly pid: number;
  readonly root: string;
  /** The name of the server's definition. */
  readonly server: string;
  readonly languages: readonly string[];
  /** Processes that are connected. */
  readonly clients: number;
  /** Process ids of the language servers. */
  readonly servers: readonly number[];
  /** Whether a server runs and none is still loading. */
  readonly ready: boolean;
  /** The titles of the servers' current progress. */
  readonly busyWith: readonly string[];
  readonly lastActivity: string;
}

/** Parses the state of another process; undefined if it is none. */
export function parseBrokerState(reported: unknown): BrokerState | undefined {
  return isBrokerState(reported) ? reported : undefined;
}

function isBrokerState(reported: unknown): reported is BrokerState {
  if (typeof reported !== 'object' || reported === null) return false;
  const has = (name: keyof BrokerState, type: 'string' | 'number' | 'boolean'): boolean =>
    typeof Reflect.get(reported, name) === type;
  const texts = (['version', 'identity', 'root', 'server', 'lastActivity'] as const).every((name) =>
    has(name, 'string'),
  );
  const lists = (['languages', 'servers', 'busyWith'] as const).every((name) =>
    Array.isArray(Reflect.get(reported, name)),
  );
  return texts && lists && has('pid', 'number') && has('clients', 'number') && has('ready', 'boolean');
}
