/**
 * The directories in which a project around a path can start, and the repository among them.
 *
 * Invariant: the user's home, the file system root and shared temporary directories are never included, nor anything
 * above them. A repository of dotfiles in the home directory contains no project below it, and in a shared directory
 * any user could plant a marker.
 */
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isUnreadable } from '../base/errno.ts';
import { homeDirectory } from '../storage/user-directories.ts';
import { realPathOf } from './real-path.ts';

/** `directory` and its parents as real paths, innermost first. */
export function enclosingDirectories(directory: string, env: Environment): readonly string[] {
  const shared = new Set([homeDirectory(env), tmpdir(), '/tmp', '/var/tmp'].map((path) => realPathOf(path)));
  const found: string[] = [];
  for (let at = realPathOf(directory); at !== dirname(at); at = dirname(at)) {
    if (shared.has(at) || isForEverybody(at)) break;
    found.push(at);
  }
  return found;
}

/**
 * The top of the innermost repository that contains a directory. Submodules and linked worktrees have their own top.
 */
export function repositoryTop(directory: string, env: Environment): string | undefined {
  return enclosingDirectories(directory, env).find(isRepositoryTop);
}

export function isRepositoryTop(directory: string): boolean {
  return existsSync(join(directory, '.git'));
}

/** Whether every user may create files in it but not remove those of others, as in `/tmp`. */
function isForEverybody(directory: string): boolean {
  const stickyAndWorldWritable = 0o1002;
  try {
    return (statSync(directory).mode & stickyAndWorldWritable) === stickyAndWorldWritable;
  } catch (thrown) {
    if (isUnreadable(thrown)) return false;
    throw thrown;
  }
}
