/**
 * Identifies the state of a file without reading it: times, size and inode.
 *
 * File system clocks are coarse: two writes within one tick leave the same times. The stamp of a recently written
 * file therefore includes a hash of its content.
 *
 * Invariant: two stamps of one file are equal only if nothing was written to it between them.
 */
import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { errnoOf, isMissing } from '../base/errno.ts';
import { sha256 } from '../storage/hash.ts';

export interface FileStamp {
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly size: number;
  readonly inode: number;
  /** Present if the times alone would not show a further write. */
  readonly content?: string;
}

/** Longer than a tick of any clock that local file systems use. */
export const clockTickMs = 20;

/** The stamp of the file at an absolute path, links followed; undefined if there is no file. */
export function stampAt(absolute: string): FileStamp | undefined {
  const stat = statOf(absolute);
  return stat?.isFile() ? stampOf(stat, absolute) : undefined;
}

/** The stamp for a file status. */
export function stampOf(stat: Stats, absolute: string): FileStamp {
  const stamp = {
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    size: stat.size,
    inode: stat.ino,
  };
  const isSettled = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) > clockTickMs;
  return isSettled || !stat.isFile() ? stamp : { ...stamp, content: contentAt(absolute, stat.size) };
}

/** Whether nothing was written to the file at `absolute` between an earlier stamp and the given one. */
export function isSameStamp(
  earlier: FileStamp | undefined,
  now: FileStamp | undefined,
  absolute: string,
): boolean {
  if (earlier === undefined || now === undefined) return earlier === now;
  if (
    earlier.modifiedMs !== now.modifiedMs ||
    earlier.changedMs !== now.changedMs ||
    earlier.size !== now.size ||
    earlier.inode !== now.inode
  ) {
    return false;
  }
  if (earlier.content === undefined) return true;
  return earlier.content !== unread && earlier.content === (now.content ?? contentAt(absolute, now.size));
}

/** Never equal to anything: the file is too large to be read for this, missing, or not accessible. */
const unread = '';
const readableBytes = 4_000_000;

function contentAt(absolute: string, size: number): string {
  if (size > readableBytes) return unread;
  try {
    return sha256(readFileSync(absolute));
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return unread;
  }
}

/** The status of what a path leads to, links followed; undefined if there is nothing, also if a parent of it is a file. */
export function statOf(absolute: string): Stats | undefined {
  return unlessMissing(() => statSync(absolute, { throwIfNoEntry: false }));
}

/** As `statOf`, of the entry itself. */
export function entryStatOf(absolute: string): Stats | undefined {
  return unlessMissing(() => lstatSync(absolute, { throwIfNoEntry: false }));
}

function unlessMissing(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
