/**
 * Identifies the state of a file without reading it: times, size and inode.
 *
 * File system clocks are coarse: two writes within one tick leave the same times. The stamp of a recently written
 * file therefore includes a hash of its content.
 *
 * Invariant: two stamps of one file are equal only if nothing was written to it between them.
 */
import { readFileSync, type Stats } from 'node:fs';
import { errnoOf } from '../base/errno.ts';
import { sha256 } from '../storage/hash.ts';
import { statOf } from './entry-stat.ts';

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
