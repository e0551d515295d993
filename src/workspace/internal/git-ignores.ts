/**
 * The `.gitignore` files on disk that apply to a workspace: its own, and those of the repository around it.
 *
 * Invariant: the innermost file with a verdict on a directory decides.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, isUnreadable } from '../../base/errno.ts';
import { IgnoreFile, isIgnoredBy } from '../ignore-file.ts';
import type { Workspace } from '../workspace.ts';
import { ancestorsOf, rootPath, type WorkspacePath } from '../workspace-path.ts';

export class GitIgnores {
  readonly #workspace: Workspace;
  readonly #inside = new Map<WorkspacePath, readonly IgnoreFile[]>();
  #above: readonly IgnoreFile[] | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Whether git ignores a directory of the workspace. */
  ignore(path: WorkspacePath): boolean {
    return isIgnoredBy(this.#filesFor(path), this.#workspace.absolute(path), 'directory');
  }

  *#filesFor(path: WorkspacePath): Generator<IgnoreFile> {
    for (const directory of [...ancestorsOf(path), rootPath]) {
      const known = this.#inside.get(directory);
      const files = known ?? gitIgnoreIn(this.#workspace.absolute(directory));
      if (!known) this.#inside.set(directory, files);
      yield* files;
    }
    this.#above ??= ignoreFilesAbove(this.#workspace.root);
    yield* this.#above;
  }
}

/**
 * The files between a workspace root and the root of its repository, innermost first. Empty if they ignore the
 * workspace itself: it is not part of that repository.
 */
export function ignoreFilesAbove(root: string): readonly IgnoreFile[] {
  const directories = [root];
  for (let at = root; !existsSync(join(at, '.git')); ) {
    const above = dirname(at);
    // Outside of a repository, outer files do not apply.
    if (above === at) return [];
    at = above;
    directories.push(at);
  }
  const levels = directories.slice(1).map(gitIgnoreIn);
  const isInIgnored = directories.some((directory, at) =>
    isIgnoredBy(levels.slice(at).flat(), directory, 'directory'),
  );
  return isInIgnored ? [] : levels.flat();
}

function gitIgnoreIn(directory: string): readonly IgnoreFile[] {
  try {
    return [new IgnoreFile(directory, readFileSync(join(directory, '.gitignore'), 'utf8'))];
  } catch (thrown) {
    if (isUnreadable(thrown) || errnoOf(thrown) === 'EISDIR') return [];
    throw thrown;
  }
}
