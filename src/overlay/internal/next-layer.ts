import type { FileContent } from '../../workspace/file-content.ts';
import { ancestorsOf, isBelow, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { NotAFilePath } from '../overlay-failure.ts';

type Entry = FileContent | 'removed';

/**
 * A copy of `layer` with `entries` set in it, one after the other.
 *
 * Invariant: in the answer no file has anything below it. The later entry wins: a file takes the place of
 * what was below its path, and what is written below a file takes the place of the file.
 */
export function nextLayer(
  layer: ReadonlyMap<WorkspacePath, Entry>,
  entries: readonly (readonly [WorkspacePath, Entry])[],
): ReadonlyMap<WorkspacePath, Entry> {
  const next = new Map(layer);
  // One entry is looked for below by a plain scan; for many, knowing the directories spares most scans.
  const directories = entries.length > 4 ? directoriesOf(next.keys()) : undefined;
  for (const [path, entry] of entries) {
    if (path === '') throw new NotAFilePath(path);
    if (directories === undefined || directories.has(path)) dropBelow(next, path);
    for (const ancestor of ancestorsOf(path)) {
      if (isContent(next.get(ancestor)) && isContent(entry)) next.set(ancestor, 'removed');
      directories?.add(ancestor);
    }
    next.set(path, entry);
  }
  return next;
}

export function isContent(entry: Entry | undefined): entry is FileContent {
  return entry !== undefined && entry !== 'removed';
}

function directoriesOf(paths: Iterable<WorkspacePath>): Set<WorkspacePath> {
  const directories = new Set<WorkspacePath>();
  for (const path of paths) for (const ancestor of ancestorsOf(path)) directories.add(ancestor);
  return directories;
}

function dropBelow(layer: Map<WorkspacePath, Entry>, directory: WorkspacePath): void {
  for (const path of layer.keys()) if (isBelow(path, directory)) layer.delete(path);
}
