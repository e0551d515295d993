/** Resolves links in paths, and tests containment. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from '../base/errno.ts';

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

/** The real path of a file that may not exist yet: its existing part is resolved, and links to what is missing are followed. */
export function followLinks(absolute: string, linksLeft = 40): string {
  try {
    return realpathSync.native(absolute);
  } catch (thrown) {
    if (!isMissing(thrown) || dirname(absolute) === absolute) throw thrown;
  }
  const directory = followLinks(dirname(absolute), linksLeft);
  const entry = join(directory, absolute.slice(dirname(absolute).length).replace(/^[\\/]+/, ''));
  const target = danglingTarget(entry);
  if (target === undefined) return entry;
  if (linksLeft === 0) return entry;
  return followLinks(resolve(directory, target), linksLeft - 1);
}

/** A write would follow a dangling link, so its target counts. */
function danglingTarget(entry: string): string | undefined {
  try {
    return lstatSync(entry).isSymbolicLink() ? readlinkSync(entry) : undefined;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
