/**
 * A workspace copied to a scratch directory, for machines that cannot mount one.
 *
 * Invariant: what is linked instead of copied (large trees nobody edits) is only ever read through the link;
 * `FileView` unfolds a link before it changes anything below it. For commands, which write where they like,
 * nothing is linked and nothing left out.
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

/** Marks a directory its tool can make again (https://bford.info/cachedir), cargo's `target` among them. */
const cacheMarker = 'CACHEDIR.TAG';

export interface CopyRequest {
  readonly scratch: string;
  /** `sources`: large trees nobody edits are linked, caches left empty. `everything`: a tree to write in. */
  readonly depth: 'sources' | 'everything';
  /** Hears when a file was last changed, as it was read before it was copied. */
  readonly onCopy?: (path: string, changedNs: bigint) => void;
}

/** Copies the tree at `root` below `scratch` under its own name and answers where it lies. */
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
  // Last and innermost first: nothing could be copied into a directory that may not be written to.
  for (const { target, mode } of copying.modes.reverse()) await chmod(target, mode);
  return copy;
}

interface Copying {
  readonly root: string;
  readonly copy: string;
  readonly depth: CopyRequest['depth'];
  readonly onCopy: NonNullable<CopyRequest['onCopy']>;
  /** Of directories that were copied whole. */
  readonly modes: { readonly target: string; readonly mode: number }[];
}

/** Copies the files of one directory, makes the directories in it and answers them. Blocks are shared where the filesystem can. */
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

/** Makes a directory in the copy, to be filled, or a link to it. */
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

/** What is built anew is often decided by which file is older. */
async function copyWithTimes(path: string, { root, copy, onCopy }: Copying): Promise<void> {
  const [source, target] = [join(root, path), join(copy, path)];
  const { atime, mtime, ctimeNs } = await lstat(source, { bigint: true });
  onCopy(path, ctimeNs);
  await copyBlocks(source, target);
  await utimes(target, atime, mtime);
}

/** A link inside the workspace must lead to the copy; one that leaves it must still arrive where it did. */
async function retarget(path: string, { root, copy }: Copying): Promise<string> {
  const target = await readlink(join(root, path));
  const from = dirname(path);
  const inside = relative(root, resolve(root, from, target));
  const leaves = inside === '..' || inside.startsWith('../');
  if (leaves) return resolve(root, from, target);
  return isAbsolute(target) ? join(copy, inside) : target;
}
