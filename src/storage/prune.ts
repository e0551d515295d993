/**
 * Removes entries past their limits.
 *
 * Invariants: an entry that a process uses, or that was changed recently, is kept whatever the limits say. Removal
 * follows no link and refuses an entry that contains a mount. Several processes may prune concurrently.
 */

import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import {
  type KeptEntry,
  type KeptKind,
  type KeptLimits,
  measure,
  removalMark,
  surveyKind,
} from './kept-files.ts';
import { removeTree } from './remove-tree.ts';

/** `limits` removes entries past their limits; `all` removes everything that is not in use. */
export type PruneMode = 'limits' | 'all';

export interface PruneReport {
  readonly kind: string;
  readonly entries: number;
  readonly bytes: number;
  /** The entries that were removed, or would be. */
  readonly removed: readonly KeptEntry[];
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

export interface PruneOptions {
  readonly mode: PruneMode;
  readonly effect: 'remove' | 'show';
  readonly now: number;
}

const dayMs = 24 * 3_600_000;

/** More recent changes may belong to a running process. */
const protectedMs: Readonly<Record<PruneMode, number>> = { limits: dayMs, all: 10 * 60_000 };

export async function pruneKind(kind: KeptKind, options: PruneOptions): Promise<PruneReport> {
  const entries = await surveyKind(kind);
  const chosen = selectForRemoval(entries, kind.limits, options);
  const removed: KeptEntry[] = [];
  const failed: { readonly path: string; readonly reason: string }[] = [];
  for (const entry of chosen) {
    try {
      if (options.effect === 'show' || (await removeEntry(entry, kind))) removed.push(entry);
    } catch (thrown) {
      failed.push({ path: entry.path, reason: messageOf(thrown) });
    }
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return { kind: kind.name, entries: entries.length, bytes, removed, failed };
}

/** The entries past the age limit, then the oldest until the rest fits the size limit. */
export function selectForRemoval(
  entries: readonly KeptEntry[],
  { maxAgeMs, maxBytes }: KeptLimits,
  { mode, now }: Pick<PruneOptions, 'mode' | 'now'>,
): readonly KeptEntry[] {
  const oldestFirst = [...entries].sort((a, b) => a.changedAt - b.changedAt);
  let left = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.filter((entry) => {
    const isUnfinished = entry.path.includes(removalMark);
    const age = now - entry.changedAt;
    if (!isUnfinished && (entry.isInUse || age < protectedMs[mode])) return false;
    const goes = isUnfinished || mode === 'all' || age > maxAgeMs || left > maxBytes;
    if (goes) left -= entry.bytes;
    return goes;
  });
}

/** Whether the entry existed. */
async function removeEntry(entry: KeptEntry, kind: KeptKind): Promise<boolean> {
  // Measured again: a process may have used it since the survey.
  const current = await measure(entry.path);
  if (!current) return false;
  const isUnfinished = entry.path.includes(removalMark);
  if (!isUnfinished && current.changedAt > entry.changedAt) return false;
  if (!isUnfinished && (await kind.isInUse?.(entry.path))) return false;
  if (await isMountedIn(entry.path)) throw new Error('it contains a mount');
  const doomed = join(dirname(entry.path), `${removalMark}${randomUUID()}`);
  // Renamed first, so that no process finds a partly removed entry.
  const isTaken = await rename(entry.path, doomed).then(
    () => true,
    (thrown: unknown) => {
      if (isGone(thrown)) return false;
      throw thrown;
    },
  );
  if (isTaken) await removeTree(doomed);
  return isTaken;
}

/** Whether this process sees a mount at or below a path. Systems without the table have no mounts of ours. */
async function isMountedIn(path: string): Promise<boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return mountPoints(table).some((point) => point === path || point.startsWith(path + sep));
}

/** The fifth field of each line; the kernel escapes blanks and backslashes in it as octal numbers. */
export function mountPoints(mountinfo: string): readonly string[] {
  return mountinfo
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((point) =>
      point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      ),
    );
}

function isGone(thrown: unknown): boolean {
  return errnoOf(thrown) === 'ENOENT';
}
