/**
 * The changes in the upper layer of an overlay filesystem.
 *
 * Invariant: a name that is missing in the mounted view counts as removed only if the layer says so, by a whiteout or
 * an opaque directory. A file created in the workspace since then is not affected.
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { walkTree } from '../../workspace/tree-walk.ts';
import { childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { FoundChanges, type TreeChanges } from './tree-changes.ts';

export interface LayerTrees {
  readonly upper: string;
  /** The workspace as the mount shows it. */
  readonly view: string;
  /** The real workspace. */
  readonly root: string;
  /** The time of the mount, by the clock that stamps files. */
  readonly openedNs: bigint;
}

export async function changedInLayer(trees: LayerTrees, signal: AbortSignal): Promise<TreeChanges> {
  const found = new FoundChanges();
  await walkTree(rootPath, { visit: (directory) => changedIn(trees, directory, found) }, signal);
  return found.result();
}

/** Records the changes of one directory and returns the subdirectories in the layer. */
async function changedIn(
  trees: LayerTrees,
  directory: WorkspacePath,
  found: FoundChanges,
): Promise<readonly WorkspacePath[]> {
  const entries = await readdir(join(trees.upper, directory), { withFileTypes: true });
  const below = await listing(join(trees.root, directory));
  if (below === 'no directory') found.remove(directory);
  else if (below.length > 0) await findRemoved({ trees, directory, entries, below, found });
  const directories: WorkspacePath[] = [];
  for (const entry of entries) {
    const path = childOf(directory, entry.name);
    if (entry.isDirectory()) directories.push(path);
    else if (entry.isFile() || entry.isSymbolicLink()) found.write(path);
    // A character device is a whiteout; other special files cannot be in an overlay.
    else if (entry.isFIFO()) found.leaveOut(path, 'it is a named pipe');
    else if (entry.isSocket()) found.leaveOut(path, 'it is a socket');
  }
  return directories;
}

async function findRemoved(at: {
  readonly trees: LayerTrees;
  readonly directory: WorkspacePath;
  readonly entries: readonly Dirent[];
  readonly below: readonly string[];
  readonly found: FoundChanges;
}): Promise<void> {
  const { trees, directory, found } = at;
  const shown = new Set(await readdir(join(trees.view, directory)));
  const marked = new Set(at.entries.filter((entry) => entry.isCharacterDevice()).map(({ name }) => name));
  for (const name of at.below) {
    if (shown.has(name)) continue;
    const path = childOf(directory, name);
    if (marked.has(name) || !(await hasAppeared(join(trees.root, path), trees.openedNs))) found.remove(path);
  }
}

async function hasAppeared(path: string, sinceNs: bigint): Promise<boolean> {
  try {
    return (await lstat(path, { bigint: true })).ctimeNs >= sinceNs;
  } catch (thrown) {
    // It has disappeared since, so no command removed it.
    if (isMissing(thrown)) return true;
    throw thrown;
  }
}

/** The names in a directory of the workspace; `no directory` if something else is there. */
async function listing(path: string): Promise<readonly string[] | 'no directory'> {
  try {
    if (!(await lstat(path)).isDirectory()) return 'no directory';
    return await readdir(path);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}
