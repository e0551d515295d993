/**
 * Which repository is meant, however its address is spelled, and which of them a worker evaluates.
 *
 * Invariant: two spellings of one remote (ssh or https, with or without `.git`) have one identity, so that their jobs go
 * to the same queue; two remotes never share one.
 */
import { isAbsolute } from 'node:path';
import { version } from '../host/version.ts';
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

/** The queue of a repository, for callers and workers of this version: what another one says may differ. */
export function queueNameOf(identity: string): string {
  return sha256(`${version}\0${identity}`).slice(0, 24);
}

/** The repositories that a worker evaluates: addresses or directories, or beginnings of them that end in `*`. */
export class AllowedRepositories {
  readonly #exact: ReadonlyMap<string, string>;
  readonly #beginnings: readonly Beginning[];

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
    return this.#beginnings.map(({ identity }) => identity);
  }

  /**
   * Where the worker fetches from: always the address of its own list, completed by the name of the repository. What the
   * job names as its remote only says whether that name ends in `.git`.
   */
  remoteOf({ identity, remote }: { readonly identity: string; readonly remote: string }): string | undefined {
    const own = this.#exact.get(identity);
    if (own !== undefined) return own;
    const beginning = this.#beginnings.find((each) => identity.startsWith(each.identity));
    const name = beginning && identity.slice(beginning.identity.length);
    if (!beginning || name === undefined || !isPlainName(name)) return undefined;
    const address = `${beginning.word}${name}${/\.git\/*$/.test(remote) ? '.git' : ''}`;
    return repositoryIdentity(remote) === identity && repositoryIdentity(address) === identity
      ? address
      : undefined;
  }
}

interface Beginning {
  readonly identity: string;
  /** As the operator has spelled it, without the star. */
  readonly word: string;
}

/** `https://host/team/` and `git@host:team/` both begin the identities of that team. */
function beginningOf(word: string): Beginning {
  const ends = word.endsWith('/') || word.endsWith(':');
  const found = repositoryIdentity(`${word}x`).slice(0, -1);
  return { word, identity: ends && !found.endsWith('/') ? `${found}/` : found };
}

/** No segment leads upwards, spelled in any way, and nothing ends the path of an address. */
function isPlainName(name: string): boolean {
  return name.split('/').every((segment) => {
    const plain = decoded(segment);
    return plain !== undefined && !/^\.{0,2}$/.test(plain) && !/[/\\?#\p{Cc}]/u.test(plain);
  });
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Whether a list with these entries covers a repository. */
export function covers(
  list: { readonly identities: readonly string[]; readonly beginnings: readonly string[] },
  identity: string,
): boolean {
  return (
    list.identities.includes(identity) || list.beginnings.some((beginning) => identity.startsWith(beginning))
  );
}
