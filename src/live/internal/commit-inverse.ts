/**
 * The inverse of a commit, computed before the commit changes the files.
 *
 * Invariants: the overlay leads from the contents after the commit back to those before, and conflicts with any other
 * contents. The mode of a rewritten file is included only if the commit alters it, so that bits set afterwards are
 * kept; a removed file comes back with its mode, and a link as a link.
 */
import { readlinkSync } from 'node:fs';
import { type FileChange, Overlay } from '../../overlay/overlay.ts';
import { type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import { type DiskState, entryStatOf, statOf } from '../../workspace/disk-state.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

export function inverseOf(disk: DiskState, changes: readonly FileChange[]): Overlay {
  const layer = new Map<WorkspacePath, FileContent | 'removed'>();
  const renames = new Map<WorkspacePath, WorkspacePath>();
  const madeOn = new Map<WorkspacePath, ContentHash>();
  for (const { path, from, before, after } of changes) {
    madeOn.set(path, hashContent(after));
    const left = from ?? path;
    const absolute = disk.workspace.absolute(left);
    if (from !== undefined) {
      layer.set(path, 'removed');
      renames.set(from, path);
      madeOn.set(from, hashContent(undefined));
    }
    if (before === undefined) layer.set(left, 'removed');
    else if (from === undefined && after !== undefined) layer.set(left, rewritten(absolute, before, after));
    else layer.set(left, asFound(absolute, before));
  }
  return Overlay.on(disk.source, { layer, renames, madeOn });
}

/** The content of a path that the commit removes. */
function asFound(absolute: string, before: FileContent): FileContent {
  if (before.kind === 'symlink') return before;
  const stats = entryStatOf(absolute);
  if (stats?.isSymbolicLink()) return { kind: 'symlink', target: readlinkSync(absolute) };
  return stats === undefined ? before : { ...before, mode: stats.mode & 0o7777 };
}

/** The content of a path that the commit rewrites; a link there stays, and its target is the file written. */
function rewritten(absolute: string, before: FileContent, after: FileContent): FileContent {
  if (before.kind === 'symlink' || after.kind === 'symlink') return before;
  const { mode: _mode, ...bytes } = before;
  const stats = statOf(absolute);
  if (stats === undefined || after.mode === undefined) return bytes;
  const bits = stats.mode & 0o7777;
  return after.mode === bits ? bytes : { ...bytes, mode: bits };
}
