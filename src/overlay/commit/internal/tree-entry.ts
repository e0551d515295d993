import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { errnoOf, isMissing } from '../../../base/errno.ts';
import { absentHash, type ContentHash, hashContent } from '../../../workspace/content-hash.ts';

/** The status of an entry, links not followed; undefined if there is nothing. */
export function statEntry(absolute: string): BigIntStats | undefined {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * The hash of the entry itself: the bytes of a file, the target of a link. A directory counts as absent, a pipe,
 * socket or device as an empty file.
 */
export function hashEntry(absolute: string, known?: BigIntStats): ContentHash {
  const stats = known ?? statEntry(absolute);
  if (stats === undefined || stats.isDirectory()) return absentHash;
  try {
    if (stats.isSymbolicLink()) return hashContent({ kind: 'symlink', target: readlinkSync(absolute) });
    const bytes = stats.isFile() ? readPlain(absolute) : new Uint8Array();
    return hashContent({ kind: 'binary', bytes });
  } catch (thrown) {
    if (isMissing(thrown) || ['ELOOP', 'EINVAL'].includes(errnoOf(thrown) ?? '')) return absentHash;
    throw thrown;
  }
}

/** The bytes of a file. A link is not followed, and a file that has become a pipe does not block. */
export function readPlain(absolute: string): Uint8Array {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const opened = openSync(absolute, flags);
  try {
    return fstatSync(opened).isFile() ? readFileSync(opened) : new Uint8Array();
  } finally {
    closeSync(opened);
  }
}
