/**
 * What commands wrote outside the workspace: in temporary directories, the private home and caches.
 *
 * Invariant: the cost is bounded by `maxVisited`, whatever was written; where the list is not whole it says so.
 */
import { type Dirent, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnreadable } from '../../workspace/errno.ts';
import type { WrittenOutside } from '../harvest.ts';
import type { WrittenPlace } from './confined-script.ts';

/** How many paths are listed, and how many entries are looked at for them. */
const maxListed = 200;
const maxVisited = 20_000;

/** The files changed after `sinceNs`. `storage` is where the places of the sandbox are kept. */
export async function writtenOutside(
  storage: string,
  places: readonly WrittenPlace[],
  sinceNs: bigint,
): Promise<WrittenOutside> {
  const found = { files: [] as string[], caches: [] as string[], visited: 0, truncated: false };
  // Private directories first: what is written there matters more than what a cache got.
  const ordered = [...places].sort((a, b) => Number(a.kind === 'cache') - Number(b.kind === 'cache'));
  for (const place of ordered) {
    const queue = [''];
    for (let at = queue.shift(); at !== undefined && !found.truncated; at = queue.shift()) {
      for (const entry of await entriesOf(join(storage, place.storage, at))) {
        found.visited += 1;
        const below = join(at, entry.name);
        if (entry.isDirectory()) queue.push(below);
        else if (isChangedSince(join(storage, place.storage, below), sinceNs)) {
          const path = join(place.path, below);
          (place.kind === 'cache' || isCache(path) ? found.caches : found.files).push(path);
        }
      }
      const listed = found.files.length + found.caches.length;
      found.truncated = listed > maxListed || found.visited > maxVisited;
    }
  }
  const files = found.files.sort().slice(0, maxListed);
  const caches = found.caches.sort().slice(0, maxListed - files.length);
  return { files, caches, truncated: found.truncated };
}

/** Whether a path is one that its tool makes again when it is missing. */
function isCache(path: string): boolean {
  return /\/\.(?:cache|npm|yarn|bun|cargo|rustup|gradle|m2|nuget|pub-cache|dotnet)\/|^\/run\/mount\/|^\/tmp\/(?:jest_|v8-compile-cache|node-compile-cache|tsx-|ts-node|hsperfdata_)/.test(
    path,
  );
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (thrown) {
    // A command may have closed it to its owner, or removed it.
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}

function isChangedSince(path: string, sinceNs: bigint): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.ctimeNs > sinceNs;
}
