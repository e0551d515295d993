/**
 * What git is told to ignore, by the `.gitignore` files of a workspace and of the directories above it.
 *
 * Invariant: the innermost file that says anything of a directory decides.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isUnreadable } from '../../base/errno.ts';
import { IgnoreFile } from '../ignore-file.ts';
import type { Workspace } from '../workspace.ts';
import { ancestorsOf, parseWorkspacePath, rootPath, type WorkspacePath } from '../workspace-path.ts';

export class GitIgnores {
  readonly #workspace: Workspace;
  readonly #files = new Map<string, IgnoreFile | undefined>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Whether git ignores a directory of the workspace. */
  ignore(path: WorkspacePath): boolean {
    for (const directory of [...ancestorsOf(path), rootPath]) {
      const verdict = this.#fileIn(this.#workspace.absolute(directory), directory)?.verdict(
        path,
        'directory',
      );
      if (verdict !== undefined) return verdict === 'ignored';
    }
    return this.#isIgnoredAbove(path);
  }

  /** A workspace inside a repository is subject to the files between its root and that of the repository. */
  #isIgnoredAbove(path: WorkspacePath): boolean {
    let inner = `${path}`;
    for (let at = this.#workspace.root; !existsSync(join(at, '.git')); ) {
      const above = dirname(at);
      if (above === at) return false;
      inner = `${basename(at)}/${inner}`;
      at = above;
      const entry = parseWorkspacePath(inner);
      const verdict = entry && this.#fileIn(at, rootPath)?.verdict(entry, 'directory');
      if (verdict !== undefined) return verdict === 'ignored';
    }
    return false;
  }

  #fileIn(absolute: string, directory: WorkspacePath): IgnoreFile | undefined {
    const place = join(absolute, '.gitignore');
    if (this.#files.has(place)) return this.#files.get(place);
    const text = textAt(place);
    const file = text === undefined ? undefined : new IgnoreFile(directory, text);
    this.#files.set(place, file);
    return file;
  }
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isUnreadable(thrown)) return undefined;
    throw thrown;
  }
}
