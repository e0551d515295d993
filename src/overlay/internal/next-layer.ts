import type { FileContent } from '../../workspace/file-content.ts';
import { ancestorsOf, isBelow, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { NotAFilePath } from '../overlay-failure.ts';

type Entry = FileContent | 'removed';

/**
 * A copy of `layer` with `entries` set in it, one after the other.
 *
 * Invariant: in the result no file has anything below it. The later entry wins: a file replaces what was below its
 * path, and an entry below a file replaces the file.
 */
export function nextLayer(
  layer: ReadonlyMap<WorkspacePath, Entry>,
  entries: readonly (readonly [WorkspacePath, Entry])[],
): ReadonlyMap<WorkspacePath, Entry> {
  const next = new Map(layer);
  // A single entry scans the layer for paths below it; for many, an index of directories avoids most scans.
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
