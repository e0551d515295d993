/**
 * A copy of a workspace in a scratch directory, for machines that cannot mount.
 *
 * Invariant: linked directories (large trees that are not edited) are only read through the link; `FileView` replaces
 * a link with its contents before it changes anything below it. For commands, which write anywhere, nothing is linked
 * or omitted.
 */
import { existsSync } from 'node:fs';
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  symlink,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { environmentMarker } from '../../workspace/known-directory.ts';
import { walkTree } from '../../workspace/tree-walk.ts';

/** Directories that are linked: copying them would cost more than everything else together. */
const linkedDirectories: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv']);

/** Marks a directory that its tool can recreate (https://bford.info/cachedir), such as cargo's `target`. */
const cacheMarker = 'CACHEDIR.TAG';

export interface CopyRequest {
  readonly scratch: string;
  /** `sources`: large unedited trees are linked, caches are left empty. `everything`: a tree to write in. */
  readonly depth: 'sources' | 'everything';
  /** Receives the change time of each file, read before it is copied. */
  readonly onCopy?: (path: string, changedNs: bigint) => void;
}

/** Copies the tree at `root` into `scratch` under its own name and returns its path. */
export async function copyWorkspace(
  root: string,
  request: CopyRequest,
  signal: AbortSignal,
): Promise<string> {
  const copy = join(request.scratch, basename(root) || 'workspace');
  await mkdir(copy);
  const { depth, onCopy = () => {} } = request;
  const copying: Copying = { root, copy, depth, onCopy, modes: [] };
  await walkTree('', { visit: (directory) => copyDirectory(directory, copying) }, signal);
  // Last and innermost first: nothing could be copied into a read-only directory.
  for (const { target, mode } of copying.modes.reverse()) await chmod(target, mode);
  return copy;
}

interface Copying {
  readonly root: string;
  readonly copy: string;
  readonly depth: CopyRequest['depth'];
  readonly onCopy: NonNullable<CopyRequest['onCopy']>;
  /** Of directories that were copied completely. */
  readonly modes: { readonly target: string; readonly mode: number }[];
}

/**
 * Copies the files of one directory, creates its subdirectories and returns them. Blocks are shared if the filesystem
 * supports it.
 */
async function copyDirectory(directory: string, copying: Copying): Promise<readonly string[]> {
  const entries = await readdir(join(copying.root, directory), { withFileTypes: true });
  const isWhole = copying.depth === 'everything';
  if (!isWhole && directory !== '' && entries.some((entry) => entry.name === cacheMarker)) return [];
  const directories: string[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if ((await copyDirectoryEntry(path, copying)) === 'made') directories.push(path);
    } else if (entry.isSymbolicLink()) await copyLink(path, copying);
    else if (entry.isFile()) files.push(path);
  }
  await mapConcurrently(files, 16, (path) =>
    isWhole ? copyWithTimes(path, copying) : copyBlocks(join(copying.root, path), join(copying.copy, path)),
  );
  return directories;
}

/** Creates a directory in the copy, to be filled, or a link to the original. */
async function copyDirectoryEntry(path: string, copying: Copying): Promise<'made' | 'linked'> {
  const [source, target] = [join(copying.root, path), join(copying.copy, path)];
  const isWhole = copying.depth === 'everything';
  if (!isWhole && isLinked(basename(path), source)) {
    await symlink(source, target);
    return 'linked';
  }
  await mkdir(target);
  if (isWhole) copying.modes.push({ target, mode: (await lstat(source)).mode & 0o7777 });
  return 'made';
}

async function copyLink(path: string, copying: Copying): Promise<void> {
  if (copying.depth === 'everything') {
    copying.onCopy(path, (await lstat(join(copying.root, path), { bigint: true })).ctimeNs);
  }
  await symlink(await retarget(path, copying), join(copying.copy, path));
}

function isLinked(name: string, directory: string): boolean {
  return linkedDirectories.has(name) || existsSync(join(directory, environmentMarker));
}

function copyBlocks(source: string, target: string): Promise<void> {
  return copyFile(source, target, constants.COPYFILE_FICLONE);
}

/** Build tools compare file times, so they are kept. */
async function copyWithTimes(path: string, { root, copy, onCopy }: Copying): Promise<void> {
  const [source, target] = [join(root, path), join(copy, path)];
  const { atime, mtime, ctimeNs } = await lstat(source, { bigint: true });
  onCopy(path, ctimeNs);
  await copyBlocks(source, target);
  await utimes(target, atime, mtime);
}

/** A link inside the workspace must lead to the copy; one that leaves it must keep its target. */
async function retarget(path: string, { root, copy }: Copying): Promise<string> {
  const target = await readlink(join(root, path));
  const from = dirname(path);
  const inside = relative(root, resolve(root, from, target));
  const leaves = inside === '..' || inside.startsWith('../');
  if (leaves) return resolve(root, from, target);
  return isAbsolute(target) ? join(copy, inside) : target;
}
