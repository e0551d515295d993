/**
 * A workspace copied to a scratch directory, for machines that cannot mount one.
 *
 * Invariant: what is linked instead of copied (large trees nobody edits) is only ever read through the link;
 * `FileView` unfolds a link before it changes anything below it.
 */
import { constants, copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Directories that are linked: copying them would cost more than everything else together. */
const linkedDirectories: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'venv']);

/** Marks a directory its tool can make again (https://bford.info/cachedir), cargo's `target` among them. */
const cacheMarker = 'CACHEDIR.TAG';

/** Copies the tree at `root` below `scratch` under its own name and answers where it lies. */
export async function copyWorkspace(root: string, scratch: string, signal: AbortSignal): Promise<string> {
  const copy = join(scratch, basename(root) || 'workspace');
  await mkdir(copy);
  await copyDirectory('', { root, copy }, signal);
  return copy;
}

interface Trees {
  readonly root: string;
  readonly copy: string;
}

/** Blocks are shared where the filesystem can; a directory of caches is left empty. */
async function copyDirectory(directory: string, trees: Trees, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const entries = await readdir(join(trees.root, directory), { withFileTypes: true });
  if (directory !== '' && entries.some((entry) => entry.name === cacheMarker)) return;
  const files: Promise<void>[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const source = join(trees.root, path);
    const target = join(trees.copy, path);
    if (entry.isDirectory() && linkedDirectories.has(entry.name)) {
      await symlink(source, target);
    } else if (entry.isDirectory()) {
      await mkdir(target);
      await copyDirectory(path, trees, signal);
    } else if (entry.isSymbolicLink()) {
      await symlink(await retarget(path, trees), target);
    } else if (entry.isFile()) {
      files.push(copyFile(source, target, constants.COPYFILE_FICLONE));
    }
  }
  await Promise.all(files);
}

/** A link inside the workspace must lead to the copy; one that leaves it must still arrive where it did. */
async function retarget(path: string, { root, copy }: Trees): Promise<string> {
  const target = await readlink(join(root, path));
  const from = dirname(path);
  const inside = relative(root, resolve(root, from, target));
  const leaves = inside === '..' || inside.startsWith('../');
  if (leaves) return resolve(root, from, target);
  return isAbsolute(target) ? join(copy, inside) : target;
}
