/** Resolves links in paths, and tests containment. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether `path` is `directory` or lies below it; both must be real paths. */
export function isAtOrBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The real path; of a missing file, with its existing part resolved. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), path.slice(above.length).replace(/^[\\/]+/, ''));
  }
}
