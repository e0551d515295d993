/** File status with absence as a value, also if a parent of the path is a file. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { isMissing } from '../base/errno.ts';

/** Of the target, with links followed. */
export function statOf(absolute: string): Stats | undefined {
  return unlessMissing(() => statSync(absolute, { throwIfNoEntry: false }));
}

/** Of the entry itself. */
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
