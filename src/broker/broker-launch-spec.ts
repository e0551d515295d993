/** What a broker's process is told when it is started: everything it is and serves. */

import type { LocatedServer } from '../servers/server-register.ts';
import { sha256 } from '../storage/hash.ts';
import type { Trust } from '../workspace/trust.ts';

export interface BrokerLaunchSpec {
  /** The directory below which brokers keep their records. */
  readonly home: string;
  readonly root: string;
  readonly located: LocatedServer;
  /** Whether the workspace's own programs may run, as the program that gives the order sees it. */
  readonly trust: Trust;
  /** Of the program that gives the order. */
  readonly version: string;
  readonly identity: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Names everything that decides what a server answers: how it is started, what it is told and what it finds in its
 * environment. Two processes share a server only when this is the same for both.
 */
export function identityOf({ definition, command }: LocatedServer, trust: Trust, env: Environment): string {
  const surroundings = Object.entries(env)
    .filter(([name, value]) => value !== undefined && mattering.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify({ definition, command, trust, surroundings })).slice(0, 32);
}

/** What compilers, interpreters and servers are known to look for; messages follow the locale. */
const mattering =
  /^(PATH|HOME|LANG|LANGUAGE|LC_.*|VIRTUAL_ENV|CONDA_PREFIX|PYTHON.*|NODE_PATH|NODE_OPTIONS|GO[A-Z]+|CGO_.*|CARGO.*|RUST.*|JAVA_HOME|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|CC|CXX|CFLAGS|CXXFLAGS)$/;

/** Reads an order; undefined when the text holds none. */
export function parseOrder(text: string): BrokerLaunchSpec | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isOrder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOrder(value: unknown): value is BrokerLaunchSpec {
  if (typeof value !== 'object' || value === null) return false;
  const located: unknown = Reflect.get(value, 'located');
  const texts = ['home', 'root', 'version', 'identity'];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    ['trusted', 'untrusted'].includes(String(Reflect.get(value, 'trust'))) &&
    typeof located === 'object' &&
    located !== null &&
    'definition' in located &&
    'command' in located &&
    Array.isArray(located.command)
  );
}
