/**
 * A client that can be set up, as data: which files contain its entry, where in them, and in which shape.
 *
 * Invariant: an id never changes; removal finds everything a target wrote through the same data.
 */
import { join } from 'node:path';
import type { Fields } from './entry-edit.ts';

export interface ClientTarget {
  readonly id: string;
  readonly name: string;
  /** One file is written for each: the first alternative that exists, otherwise the last. */
  readonly configs: readonly (readonly ConfigPlace[])[];
  /** Files that the client does not read any more; entries in them are only removed. */
  readonly former?: readonly ConfigPlace[];
  readonly rules?: RulesPlace;
  /** The user's next step. */
  readonly next: string;
}

/** The directories of this machine and user. */
export interface Places {
  readonly home: string;
  readonly project: string;
  /** The directory of application settings on this system. */
  readonly applications: string;
  readonly platform: NodeJS.Platform;
  /** An environment variable with which a client's files are moved; undefined if it is not set. */
  readonly variable: (name: string) => string | undefined;
}

export interface ConfigPlace {
  readonly file: (places: Places) => string;
  /** `yaml-list` has a list of servers, each with its name in it. */
  readonly format: 'json' | 'toml' | 'yaml' | 'yaml-list';
  /** The object with one entry per server. */
  readonly key: string;
  readonly shape: EntryShape;
  /** A file of a client that may not be installed is written only if its directory exists. */
  readonly when?: 'its directory exists';
}

export interface RulesPlace {
  /** A file; a directory of rules is given with a separator at its end. */
  readonly file: (places: Places) => string;
  /** Agents with their own editing tools get advice which of ours to prefer. */
  readonly audience: 'claude' | 'any';
  /** The beginning of a new file. */
  readonly head?: string;
}

/** How the client starts the program. */
export interface ClientLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** How many arguments lead to `mcp`, it included; those that follow are options. */
  readonly leading: number;
}

/** The fields of an entry, and those that only a new entry gets because users change them. */
export interface ClientEntry {
  readonly fields: Fields;
  readonly initial?: Fields;
}

export type EntryShape = (launch: Pick<ClientLaunch, 'command' | 'args'>) => ClientEntry;

export const plainEntry: EntryShape = ({ command, args }) => ({ fields: { command, args: [...args] } });

/** Marks the entry as a local process. */
export const typedEntry: EntryShape = ({ command, args }) => ({
  fields: { type: 'stdio', command, args: [...args] },
});

/** A file given by the user, in the shape that most clients share. */
export function customTarget(file: string): ClientTarget {
  const place: ConfigPlace = file.endsWith('.toml')
    ? { file: () => file, format: 'toml', key: 'mcp_servers', shape: plainEntry }
    : { file: () => file, format: 'json', key: 'mcpServers', shape: typedEntry };
  return {
    id: 'custom',
    name: 'Custom path',
    configs: [[place]],
    next: 'Restart the client that reads this file.',
  };
}

export const inProject =
  (...parts: readonly string[]) =>
  ({ project }: Places): string =>
    join(project, ...parts);

export const inHome =
  (...parts: readonly string[]) =>
  ({ home }: Places): string =>
    join(home, ...parts);

export const inApplications =
  (...parts: readonly string[]) =>
  ({ applications }: Places): string =>
    join(applications, ...parts);

/** Below the directory that a variable names, otherwise below one of the home directory. */
export const inMovedHome =
  (name: string, byDefault: string, ...parts: readonly string[]) =>
  ({ home, variable }: Places): string =>
    join(variable(name) ?? join(home, byDefault), ...parts);
