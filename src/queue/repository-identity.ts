/**
 * Which repository is meant, however its address is spelled, and which of them a worker evaluates.
 *
 * Invariant: two spellings of one remote (ssh or https, with or without `.git`) have one identity, so that their jobs go
 * to the same queue; two remotes never share one.
 */
import { isAbsolute } from 'node:path';
import { sha256 } from '../storage/hash.ts';
import { realPathOf } from '../workspace/real-path.ts';

/** `host/path` of an address, or the real path of an absolute directory. */
export function repositoryIdentity(remote: string): string {
  const address = remote.trim();
  if (isAbsolute(address)) return directoryIdentity(address);
  const file = /^file:\/\/(\/.*)$/.exec(address);
  if (file) return directoryIdentity(decodeURIComponent(file[1] ?? ''));
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:]+)(?::(\d+))?\/(.*)$/i.exec(address);
  if (url) return remoteIdentity(url[1] ?? '', url[2], url[3] ?? '');
  const scp = /^(?:[^/@:]+@)?([^/:]+):(?!\/\/)(.*)$/.exec(address);
  if (scp) return remoteIdentity(scp[1] ?? '', undefined, scp[2] ?? '');
  return address;
}

function remoteIdentity(host: string, port: string | undefined, path: string): string {
  const isUsual = port === undefined || ['22', '80', '443', '9418'].includes(port);
  const place = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return `${host.toLowerCase()}${isUsual ? '' : `:${port}`}/${place}`;
}

function directoryIdentity(directory: string): string {
  return realPathOf(directory).replace(/\/\.git$/, '');
}

/** The queue of a repository. */
export function queueNameOf(identity: string): string {
  return sha256(identity).slice(0, 24);
}

/** The repositories that a worker evaluates: addresses or directories, or beginnings of them that end in `*`. */
export class AllowedRepositories {
  readonly #exact: ReadonlyMap<string, string>;
  readonly #beginnings: readonly string[];

  constructor(words: readonly string[]) {
    const exact = words.filter((word) => !word.endsWith('*'));
    this.#exact = new Map(exact.map((word) => [repositoryIdentity(word), word]));
    this.#beginnings = words
      .filter((word) => word.endsWith('*'))
      .map((word) => beginningOf(word.slice(0, -1)));
  }

  /** Those that are named in full. */
  get identities(): readonly string[] {
    return [...this.#exact.keys()];
  }

  get beginnings(): readonly string[] {
    return this.#beginnings;
  }

  /** Where the worker fetches from: the address of its own list, if it names the repository in full. */
  remoteOf({ identity, remote }: { readonly identity: string; readonly remote: string }): string | undefined {
    const own = this.#exact.get(identity);
    if (own !== undefined) return own;
    return matches(this.#beginnings, identity) && repositoryIdentity(remote) === identity
      ? remote
      : undefined;
  }
}

/** `https://host/team/` and `git@host:team/` both begin the identities of that team. */
function beginningOf(word: string): string {
  const ends = word.endsWith('/') || word.endsWith(':');
  const identity = repositoryIdentity(`${word}x`).slice(0, -1);
  return ends && !identity.endsWith('/') ? `${identity}/` : identity;
}

/** Whether a list with these entries covers a repository. */
export function covers(
  list: { readonly identities: readonly string[]; readonly beginnings: readonly string[] },
  identity: string,
): boolean {
  return list.identities.includes(identity) || matches(list.beginnings, identity);
}

function matches(beginnings: readonly string[], identity: string): boolean {
  return beginnings.some((beginning) => identity.startsWith(beginning));
}
