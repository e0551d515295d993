import { type BigIntStats, fchownSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { errnoOf, isMissing } from '../../workspace/errno.ts';
import { inSlices } from './in-slices.ts';
import { journalNames } from './journal.ts';

/**
 * The files of a transaction directory, and the small calls that are made on them. Each takes microseconds and is made
 * at once: a trip through the thread pool costs more, and a commit of one file would be mostly such trips.
 */

export function newFile(transaction: string, index: number): string {
  return join(transaction, 'new', String(index));
}

export function oldFile(transaction: string, index: number): string {
  return join(transaction, 'old', String(index));
}

/** Removes a finished transaction; the journal goes last, so that half a removal is still understood. */
export async function removeTransaction(
  transaction: string,
  onStep: (step: string) => void = () => {},
): Promise<void> {
  for (const part of ['new', 'old']) {
    const directory = join(transaction, part);
    await inSlices(await namesIn(directory), (name) => {
      onStep('clean');
      rmSync(join(directory, name), { force: true });
    });
    await rmdirIfThere(directory);
  }
  for (const name of journalNames) {
    onStep('clean');
    await unlinkIfThere(join(transaction, name));
  }
  await rmdirIfThere(transaction);
}

export async function namesIn(directory: string): Promise<string[]> {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

export async function unlinkIfThere(file: string): Promise<void> {
  try {
    unlinkSync(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** Also leaves a directory alone that somebody else uses. */
export async function rmdirIfThere(directory: string): Promise<void> {
  try {
    rmdirSync(directory);
  } catch (thrown) {
    if (!isMissing(thrown) && errnoOf(thrown) !== 'ENOTEMPTY' && errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}

/** Makes the names in these directories last; where the system has no such call, it needs none. */
export async function syncDirectories(directories: readonly string[]): Promise<void> {
  if (process.platform === 'win32') return;
  await mapConcurrently(directories, 16, async (directory) => {
    try {
      await using handle = await open(directory, 'r');
      await handle.sync();
    } catch (thrown) {
      // A directory that the commit itself removed has nothing left to keep.
      if (!isMissing(thrown)) throw thrown;
    }
  });
}

/** Whether a file belongs to somebody else than new files of this process would. */
export function isForeign(existing: BigIntStats): boolean {
  const { getuid, getgid } = process;
  if (getuid === undefined || getgid === undefined) return false;
  return Number(existing.uid) !== getuid() || Number(existing.gid) !== getgid();
}

/** Gives a file to the owner of the one it replaces, where we may. Only a privileged process may in general. */
export function keepOwner(file: number, existing: BigIntStats): void {
  try {
    fchownSync(file, Number(existing.uid), Number(existing.gid));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EPERM') throw thrown;
  }
}
