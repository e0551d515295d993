/** Lists directories on disk; a missing or inaccessible directory has no entries. */
import { type Dirent, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isUnreadable } from '../base/errno.ts';

export async function directoryEntries(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (thrown) {
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}

/** The names in a directory, sorted. */
export function directoryNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (thrown) {
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}
