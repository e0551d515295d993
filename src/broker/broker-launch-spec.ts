/** The launch specification that a broker process reads when it is started. */

import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { sha256 } from '../storage/hash.ts';
import type { Trust } from '../workspace/trust.ts';

/** A definition is plain data of the same version of this program, so only its rough shape is checked. */
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
    /** Whether the workspace's own programs may run, according to the process that starts the broker. */
    trust: z.enum(['trusted', 'untrusted']),
    /** The version of the program that starts the broker. */
    version: z.string(),
    identity: z.string(),
  })
  .readonly();

export type BrokerLaunchSpec = z.infer<typeof specSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Hashes everything that decides what a server answers: its command, its settings and its environment. Two processes
 * share a server only if this is equal.
 */
export function identityOf({ definition, command }: LocatedServer, trust: Trust, env: Environment): string {
  const surroundings = Object.entries(env)
    .filter(([name, value]) => value !== undefined && mattering.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify({ definition, command, trust, surroundings })).slice(0, 32);
}

/** Variables that compilers, interpreters and servers are known to read; messages follow the locale. */
const mattering =
  /^(PATH|HOME|LANG|LANGUAGE|LC_.*|VIRTUAL_ENV|CONDA_PREFIX|PYTHON.*|NODE_PATH|NODE_OPTIONS|GO[A-Z]+|CGO_.*|CARGO.*|RUST.*|JAVA_HOME|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|CC|CXX|CFLAGS|CXXFLAGS)$/;

/** Parses a specification; undefined if the text is none. */
export function parseOrder(text: string): BrokerLaunchSpec | undefined {
  return storedValue(text, specSchema);
}
