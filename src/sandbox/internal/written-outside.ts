/**
 * Files that commands wrote outside the workspace: in temporary directories, the private home and caches.
 *
 * Invariant: the cost is bounded by `maxVisited`; an incomplete list is marked as such.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { neverAborts } from '../../base/never-aborts.ts';
import { directoryEntries } from '../../workspace/directory-entries.ts';
import { walkTree } from '../../workspace/tree-walk.ts';
import type { WrittenOutside } from '../harvest.ts';
import type { WrittenPlace } from './confined-script.ts';

/** Limits on listed paths and on visited entries. */
const maxListed = 200;
const maxVisited = 20_000;

/** The files changed after `sinceNs`. `storage` holds the places of the sandbox. */
export async function writtenOutside(
  storage: string,
  places: readonly WrittenPlace[],
  sinceNs: bigint,
): Promise<WrittenOutside> {
  const walk = new OutsideWalk(storage, sinceNs);
  // Caches last: their files must not displace others from the list.
  for (const place of places) if (place.kind === 'private') await walk.look(place);
  const { truncated } = walk;
  for (const place of places) if (place.kind === 'cache') walk.defer(place, '');
  await walk.lookIntoCaches();
  const { files, caches } = walk;
  return { files: files.sort().slice(0, maxListed), caches: caches.sort().slice(0, maxListed), truncated };
}

class OutsideWalk {
  readonly files: string[] = [];
  readonly caches: string[] = [];
  readonly #storage: string;
  readonly #sinceNs: bigint;
  readonly #deferred: { readonly place: WrittenPlace; readonly at: string }[] = [];
  #visited = 0;

  constructor(storage: string, sinceNs: bigint) {
    this.#storage = storage;
    this.#sinceNs = sinceNs;
  }

  /** Whether there may be more files than were found. */
  get truncated(): boolean {
    return this.files.length > maxListed || this.#visited > maxVisited;
  }

  async look(place: WrittenPlace): Promise<void> {
    const visit = async (at: string): Promise<readonly string[]> => {
      const isCacheDirectory = (directory: string): boolean => isCache(`${join(place.path, directory)}/`);
      const directories = await this.#enter(place, at);
      for (const directory of directories.filter(isCacheDirectory)) this.defer(place, directory);
      return directories.filter((directory) => !isCacheDirectory(directory));
    };
    await walkTree('', { visit, isDone: () => this.truncated, together: 1 }, neverAborts());
  }

  defer(place: WrittenPlace, at: string): void {
    this.#deferred.push({ place, at });
  }

  async lookIntoCaches(): Promise<void> {
    this.#visited = 0;
    const isDone = (): boolean => this.caches.length > maxListed || this.#visited > maxVisited;
    for (let next = this.#deferred.shift(); next && !isDone(); next = this.#deferred.shift()) {
      const { place, at } = next;
      const kind = { ...place, kind: 'cache' } as const;
      for (const directory of await this.#enter(kind, at)) this.defer(kind, directory);
    }
  }

  /** Records the changed files of a directory and returns its subdirectories. */
  async #enter(place: WrittenPlace, at: string): Promise<readonly string[]> {
    const directories: string[] = [];
    // A command may have removed the directory or its permissions: then it has no entries.
    const entries = await directoryEntries(join(this.#storage, place.storage, at));
    // An empty directory is a result too: the next command may rely on it.
    if (entries.length === 0 && at !== '') this.#note(place, at);
    for (const entry of entries) {
      this.#visited += 1;
      const below = join(at, entry.name);
      if (entry.isDirectory()) directories.push(below);
      else this.#note(place, below);
    }
    return directories;
  }

  #note(place: WrittenPlace, at: string): void {
    if (!isChangedSince(join(this.#storage, place.storage, at), this.#sinceNs)) return;
    const path = join(place.path, at);
    (place.kind === 'cache' || isCache(path) ? this.caches : this.files).push(path);
  }
}

/** Whether a tool recreates this path when it is missing. */
function isCache(path: string): boolean {
  return /\/\.(?:cache|npm|yarn|bun|cargo|rustup|gradle|m2|nuget|pub-cache|dotnet)\/|^\/run\/mount\/|^\/tmp\/(?:jest_|v8-compile-cache|node-compile-cache|tsx-|ts-node|hsperfdata_)/.test(
    path,
  );
}

function isChangedSince(path: string, sinceNs: bigint): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.ctimeNs > sinceNs;
}
