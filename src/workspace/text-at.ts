/** Reads a small file on disk synchronously, which takes less time than a trip through the thread pool. */
import { readFileSync } from 'node:fs';
import { errnoOf, isUnreadable } from '../base/errno.ts';
import { statOf } from './disk-state.ts';

/**
 * The text of a regular file, links followed; undefined if it is missing, not accessible or anything else. Reading a
 * pipe would block.
 */
export function textAt(file: string): string | undefined {
  try {
    return statOf(file)?.isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch (thrown) {
    if (isUnreadable(thrown) || errnoOf(thrown) === 'ELOOP') return undefined;
    throw thrown;
  }
}
