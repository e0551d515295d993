/**
 * The files that Forerun stores for a user, by kind, and their sizes.
 *
 * Invariant: the survey follows no link and never leaves the device of an entry; a link, an entry of another user, or
 * one without a name of ours is not an entry.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { userId } from './user-directories.ts';

/** One kind of stored file or directory, and its limits. */
export interface KeptKind {
  readonly name: string;
  readonly about: string;
  /** The directories of the entries; a missing directory has none. */
  readonly directories: readonly string[];
  /** Whether these directories are private or shared with other users, like `/tmp`; entries are always ours. */
  readonly access?: 'own' | 'shared';
  /** Patterns of the names from such a directory to an entry, one per level. */
  readonly names: readonly RegExp[];
  readonly limits: KeptLimits;
  /** Whether a running process uses an entry; absent if only recent changes show this. */
  readonly isInUse?: (path: string) => Promise<boolean>;
}

export interface KeptLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface KeptEntry {
  readonly path: string;
  readonly bytes: number;
  /** The time of the last change in it. */
  readonly changedAt: number;
  readonly isInUse: boolean;
}

/** Part of the name of an entry whose removal has begun, so that the next run finishes it after a crash. */
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

/** The names in a directory; empty if it is a link, missing or, unless it is shared, another user's. */
async function namesIn(directory: string, access: 'own' | 'shared'): Promise<readonly Dirent[]> {
  const stats = await lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory() || (access === 'own' && !isOwn(stats))) return [];
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}

/** The size and age of a file or directory; undefined if it is not ours or is gone. */
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
