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

/**
 * Whether a name still holds what it held when `known` was taken. The status answers in most cases; where it
 * differs, as when a union mount copied the file up, the content does.
 */
export async function isUntouched(absolute: string, known: BigIntStats, hash: ContentHash): Promise<boolean> {
  const now = await statEntry(absolute);
  if (now === undefined) return false;
  const isSameStatus = now.ino === known.ino && now.size === known.size && now.mtimeNs === known.mtimeNs;
  return isSameStatus || (await hashEntry(absolute, now)) === hash;
}
