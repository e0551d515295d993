/**
 * What Forerun keeps on disk for a user, kind by kind, and how much of it there is.
 *
 * Invariant: the survey follows no link and never leaves the device of an entry; what is a link, belongs to another
 * user or does not have a name of ours is not an entry.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { userId } from './user-directories.ts';

/** One kind of file or directory we keep, and for how long. */
export interface KeptKind {
  readonly name: string;
  readonly about: string;
  /** Where entries lie; a directory that does not exist holds none. */
  readonly directories: readonly string[];
  /** Whether these directories are ours alone or, like `/tmp`, open to every user; entries are always ours. */
  readonly access?: 'own' | 'shared';
  /** The names that lead from such a directory to an entry, one for each level. */
  readonly names: readonly RegExp[];
  readonly limits: KeptLimits;
  /** Whether a living process uses an entry; absent where recent changes are all that tells. */
  readonly isInUse?: (path: string) => Promise<boolean>;
}

export interface KeptLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface KeptEntry {
  readonly path: string;
  readonly bytes: number;
  /** When anything in it was last changed. */
  readonly changedAt: number;
  readonly isInUse: boolean;
}

/** An entry we began to remove has this in its name, so that the next run finishes what a crash left. */
export const removalMark = '.forerun-removing-';

export async function surveyKind(kind: KeptKind): Promise<readonly KeptEntry[]> {
  const entries: KeptEntry[] = [];
  for (const path of await entryPaths(kind)) {
    const size = await measure(path);
    if (!size) continue;
    const isInUse = path.includes(removalMark) ? false : ((await kind.isInUse?.(path)) ?? false);
    entries.push({ path, ...size, isInUse });
  }
  return entries;
}

async function entryPaths({ directories, names, access = 'own' }: KeptKind): Promise<readonly string[]> {
  let level: readonly string[] = directories;
  for (const [depth, name] of names.entries()) {
    const isLast = depth === names.length - 1;
    const below = await Promise.all(
      level.map((directory) => namesIn(directory, depth === 0 ? access : 'own')),
    );
    level = level.flatMap((directory, at) =>
      (below[at] ?? [])
        .filter((entry) => isCalled(entry, name, isLast) && (isLast || entry.isDirectory()))
        .map((entry) => join(directory, entry.name)),
    );
  }
  return level;
}

function isCalled(entry: Dirent, name: RegExp, isLast: boolean): boolean {
  if (entry.isSymbolicLink()) return false;
  return name.test(entry.name) || (isLast && entry.name.startsWith(removalMark));
}

/** The names in a directory; none where it is a link, not there or, unless it is shared, another user's. */
async function namesIn(directory: string, access: 'own' | 'shared'): Promise<readonly Dirent[]> {
  const stats = await lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory() || (access === 'own' && !isOwn(stats))) return [];
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}

/** The size and age of a file or of everything in a directory; undefined where it is not ours or has gone. */
export async function measure(path: string): Promise<Pick<KeptEntry, 'bytes' | 'changedAt'> | undefined> {
  const top = await lstat(path).catch(() => undefined);
  if (!top || top.isSymbolicLink() || !isOwn(top)) return undefined;
  let bytes = 0;
  let changedAt = 0;
  const pending: { readonly path: string; readonly stats: Stats }[] = [{ path, stats: top }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path: current, stats } = next;
    bytes += stats.size;
    changedAt = Math.max(changedAt, stats.mtimeMs);
    if (!stats.isDirectory()) continue;
    for (const name of await readdir(current).catch(() => [])) {
      const inner = await lstat(join(current, name)).catch(() => undefined);
      if (inner && inner.dev === top.dev) pending.push({ path: join(current, name), stats: inner });
    }
  }
  return { bytes, changedAt };
}

export function isOwn({ uid }: Stats): boolean {
  return process.platform === 'win32' || uid === userId();
}
