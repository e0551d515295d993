import { join } from 'node:path';
import { comparePaths, parentOf, rootPath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import {
  type DirectoryIdentity,
  DirectoryReplaced,
  directoryAt,
  isSameDirectory,
  rootAt,
} from './directory-identity.ts';
import type { TreeAccess } from './tree-access.ts';

/**
 * Verifies paths before and after each call, for systems that do not name the entries of opened directories.
 *
 * Invariant: a call is reported as successful only if every directory on its path was the same one, and no link,
 * before and after it. A call that went elsewhere is undone.
 */
export class VerifiedTree implements TreeAccess {
  readonly identity: DirectoryIdentity;
  readonly #root: string;
  readonly #known = new Map<WorkspacePath, DirectoryIdentity>();

  constructor(root: string) {
    const identity = rootAt(root);
    if (identity === undefined) throw new DirectoryReplaced(rootPath);
    this.#root = root;
    this.identity = identity;
    this.#known.set(rootPath, identity);
  }

  on<T>(path: WorkspacePath, call: (entry: string) => T, revert?: (entry: string) => void): T {
    const directory = parentOf(path);
    this.#verify(directory);
    const entry = join(this.#root, path);
    const answer = call(entry);
    try {
      this.#verify(directory);
    } catch (thrown) {
      revert?.(entry);
      throw thrown;
    }
    return answer;
  }

  directory(path: WorkspacePath): string {
    this.#verify(path);
    return join(this.#root, path);
  }

  pin(path: WorkspacePath): DirectoryIdentity {
    return this.#verify(path);
  }

  forget(path: WorkspacePath): void {
    this.#known.delete(path);
  }

  misled(): readonly WorkspacePath[] {
    return [...this.#known]
      .filter(([path, identity]) => !isSameDirectory(identity, this.#look(path)))
      .map(([path]) => path)
      .sort(comparePaths);
  }

  [Symbol.dispose](): void {}

  #look(path: WorkspacePath): DirectoryIdentity | undefined {
    return path === rootPath ? rootAt(this.#root) : directoryAt(join(this.#root, path));
  }

  /** Checks every directory from the root to `path`. */
  #verify(path: WorkspacePath): DirectoryIdentity {
    if (path !== rootPath) this.#verify(parentOf(path));
    const found = this.#look(path);
    const known = this.#known.get(path);
    if (found === undefined || (known !== undefined && !isSameDirectory(found, known))) {
      throw new DirectoryReplaced(path);
    }
    this.#known.set(path, found);
    return found;
  }
}
