import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { absentHash, type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import { isMissing } from '../../workspace/errno.ts';

/** What is on disk under one name, links not followed; undefined where there is nothing. */
export async function statEntry(absolute: string): Promise<BigIntStats | undefined> {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/** The hash of what the name itself holds: the bytes of a file, the target of a link. A directory counts as absent. */
export async function hashEntry(absolute: string, known?: BigIntStats): Promise<ContentHash> {
  const stats = known ?? (await statEntry(absolute));
  if (stats === undefined || stats.isDirectory()) return absentHash;
  if (stats.isSymbolicLink()) return hashContent({ kind: 'symlink', target: readlinkSync(absolute) });
  try {
    return hashContent({ kind: 'binary', bytes: readFileSync(absolute) });
  } catch (thrown) {
    if (isMissing(thrown)) return absentHash;
    throw thrown;
  }
}
