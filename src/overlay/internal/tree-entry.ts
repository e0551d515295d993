import type { BigIntStats } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { absentHash, type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import { isMissing } from '../../workspace/errno.ts';

/** What is on disk under one name, links not followed; undefined where there is nothing. */
export async function statEntry(absolute: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(absolute, { bigint: true });
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/** The hash of what the name itself holds: the bytes of a file, the target of a link. A directory counts as absent. */
export async function hashEntry(absolute: string, known?: BigIntStats): Promise<ContentHash> {
  const stats = known ?? (await statEntry(absolute));
  if (stats === undefined || stats.isDirectory()) return absentHash;
  if (stats.isSymbolicLink()) return hashContent({ kind: 'symlink', target: await readlink(absolute) });
  try {
    return hashContent({ kind: 'binary', bytes: await readFile(absolute) });
  } catch (thrown) {
    if (isMissing(thrown)) return absentHash;
    throw thrown;
  }
}
