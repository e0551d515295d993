/** Whether files can be executed. The check is synchronous: it takes microseconds, and a miss throws no error. */
import { accessSync, constants, statSync } from 'node:fs';

/** False for any reason that prevents execution, including absence. */
export function isExecutable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
