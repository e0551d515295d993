/**
 * The `.gitignore` files on disk that apply to a workspace: its own, those of the repository around it, and the
 * repository's `info/exclude`. The user's `core.excludesFile` is not read.
 *
 * Invariant: the innermost file with a verdict on a directory decides; `info/exclude` comes last, as in git.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { IgnoreFile, isIgnoredBy } from '../ignore-file.ts';
import { textAt } from '../text-at.ts';
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
 * The files between a workspace root and the root of its repository, innermost first, then the exclude file of the
 * repository. Empty if they ignore the workspace itself: it is not part of that repository.
 */
export function ignoreFilesAbove(root: string): readonly IgnoreFile[] {
  const directories = [root];
  let top = root;
  while (!existsSync(join(top, '.git'))) {
    const above = dirname(top);
    // Outside of a repository, outer files do not apply.
    if (above === top) return [];
    top = above;
    directories.push(top);
  }
  const levels = [...directories.slice(1).map(gitIgnoreIn), excludeFileOf(top)];
  const isInIgnored = directories
    .slice(0, -1)
    .some((directory, at) => isIgnoredBy(levels.slice(at).flat(), directory, 'directory'));
  return isInIgnored ? [] : levels.flat();
}

function gitIgnoreIn(directory: string): readonly IgnoreFile[] {
  return ignoreFile(directory, join(directory, '.gitignore'));
}

/** `info/exclude` of the repository whose working tree starts at `top`. Its patterns are relative to `top`. */
function excludeFileOf(top: string): readonly IgnoreFile[] {
  const entry = join(top, '.git');
  // In a linked worktree or a submodule, `.git` is a file that names the directory.
  const linked = /^gitdir: (.+)$/m.exec(textAt(entry) ?? '')?.[1];
  const directory = linked === undefined ? entry : resolve(top, linked);
  // Linked worktrees have the files of the repository they were made from.
  const common = textAt(join(directory, 'commondir'))?.trim();
  const shared = common ? resolve(directory, common) : directory;
  return ignoreFile(top, join(shared, 'info', 'exclude'));
}

function ignoreFile(directory: string, file: string): readonly IgnoreFile[] {
  const text = textAt(file);
  return text === undefined ? [] : [new IgnoreFile(directory, text)];
}
