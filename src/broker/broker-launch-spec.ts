/** What a broker's process is told when it is started: everything it is and serves. */

import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { sha256 } from '../storage/hash.ts';
import type { Trust } from '../workspace/trust.ts';

/** A definition is plain data of the same version of this program; what is checked is that this is one. */
const locatedSchema = z.looseObject({
  definition: z.looseObject({ name: z.string() }),
  command: z.array(z.string()),
});

const specSchema = z
  .object({
    /** The directory below which brokers keep their records. */
    home: z.string(),
    root: z.string(),
    located: z.custom<LocatedServer>((value) => locatedSchema.safeParse(value).success),
    /** Whether the workspace's own programs may run, as the program that gives the order sees it. */
    trust: z.enum(['trusted', 'untrusted']),
    /** Of the program that gives the order. */
    version: z.string(),
    identity: z.string(),
  })
  .readonly();

export type BrokerLaunchSpec = z.infer<typeof specSchema>;

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
  return storedValue(text, specSchema);
}
