import {
  type BigIntStats,
  closeSync,
  fchownSync,
  fsync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { errnoOf, isMissing } from '../../../base/errno.ts';
import { mapConcurrently } from '../../../workspace/concurrency.ts';
import { DirectoryReplaced } from './directory-identity.ts';

/**
 * File system calls of a transaction. Each takes microseconds and is synchronous: a trip through the thread pool
 * costs more, and a commit of one file would be mostly such trips.
 */

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

export function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** Leaves anything alone that is not an empty directory. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (thrown) {
    if (!isMissing(thrown) && errnoOf(thrown) !== 'ENOTEMPTY' && errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}

/**
 * Flushes the entries of these directories; a system without such a call needs none. `nameOf` is called right before
 * the directory is opened.
 */
export async function syncDirectories<T>(
  directories: readonly T[],
  nameOf: (directory: T) => string,
): Promise<void> {
  if (process.platform === 'win32') return;
  await mapConcurrently(directories, 16, async (directory) => {
    const opened = openIfThere(() => nameOf(directory));
    if (opened === undefined) return;
    try {
      await flush(opened);
    } finally {
      closeSync(opened);
    }
  });
}

/** Whether a file belongs to another user or group than new files of this process would. */
export function isForeign(existing: BigIntStats): boolean {
  const { getuid, getgid } = process;
  if (getuid === undefined || getgid === undefined) return false;
  return Number(existing.uid) !== getuid() || Number(existing.gid) !== getgid();
}

/** Gives a file to the owner of the one it replaces, if permitted. In general only a privileged process may. */
export function keepOwner(file: number, existing: BigIntStats): void {
  try {
    fchownSync(file, Number(existing.uid), Number(existing.gid));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EPERM') throw thrown;
  }
}

const flush = promisify(fsync);

/** A directory that the commit itself removed needs no flush; one that was replaced is detected later. */
function openIfThere(nameOf: () => string): number | undefined {
  try {
    return openSync(nameOf(), 'r');
  } catch (thrown) {
    if (isMissing(thrown) || thrown instanceof DirectoryReplaced) return undefined;
    throw thrown;
  }
}
