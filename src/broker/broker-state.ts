/** What a broker says of itself, and the questions only a broker answers. */

/** Requests beyond the language-server protocol, answered before any handshake. */
export const brokerRequests = {
  /** Answered with a BrokerState. */
  state: 'forerun/brokerState',
  /** Answered before the broker ends. */
  stop: 'forerun/stop',
} as const;

export interface BrokerState {
  /** Of the program that is running. */
  readonly version: string;
  /** Of everything the server was started with; see `identityOf`. */
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
  /** What the servers say they are at. */
  readonly busyWith: readonly string[];
  readonly lastActivity: string;
}

/** Reads the state another process told; undefined when it is none. */
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
