/** Which files can be run. Looking is done at once: it takes microseconds, and a miss costs no thrown error. */
import { accessSync, constants, statSync } from 'node:fs';

/** Whatever keeps it from being run from here, its absence too, the answer is no. */
export function isExecutable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
