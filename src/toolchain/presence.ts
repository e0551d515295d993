/** Whether a path exists. */
import { stat } from 'node:fs/promises';
import { isMissing } from '../base/errno.ts';

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

/** The nearest directory at or above `directory`, both relative to `root`, that contains a file of this name. */
export async function nearestWith(root: string, directory: string, name: string): Promise<string> {
  let nearest = directory;
  while (nearest !== '' && !(await exists(`${root}/${nearest}/${name}`))) nearest = parent(nearest);
  return nearest;
}

/** The directory of a relative path; empty for the root. */
export function parent(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
