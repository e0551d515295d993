/**
 * Private directories for the parts of a mount: its changed layer, or a copy.
 *
 * Invariant: only the user can access them, and none lies inside its own workspace.
 */
import { chmod, mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { removeTree } from '../../storage/remove-tree.ts';

/** A new scratch directory below `parent`, or elsewhere if that lies inside the workspace at `root`. */
export async function makeScratch(parent: string, root?: string): Promise<string> {
  const candidates = [parent, tmpdir(), '/dev/shm', '/var/tmp'];
  const outside = candidates.find((candidate) => root === undefined || !isWithin(candidate, root)) ?? parent;
  await mkdir(outside, { recursive: true });
  return mkdtemp(join(outside, 'forerun-mount-'));
}

/** Removes the directory with its contents. */
export async function removeScratch(scratch: string): Promise<void> {
  // The workspace was bound to `lower` in another namespace. If it were visible here, rmdir would fail.
  await rmdir(join(scratch, 'lower')).catch(ignoreMissing);
  // The kernel leaves a directory of mode 000 there, which an unprivileged user must make accessible first.
  await chmod(join(scratch, 'work', 'work'), 0o700).catch(ignoreMissing);
  await removeTree(scratch);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../'));
}

function ignoreMissing(thrown: unknown): void {
  if (!isMissing(thrown)) throw thrown;
}
