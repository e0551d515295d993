/**
 * A copied tree and its last known state.
 *
 * Invariant: a file whose inode, size, mode and times are unchanged is unchanged. Only the kernel sets a file's
 * change time, so no command can hide a change.
 */

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { walkTree } from '../../workspace/tree-walk.ts';
import {
  ancestorsOf,
  childOf,
  isBelow,
  rootPath,
  type WorkspacePath,
} from '../../workspace/workspace-path.ts';
import { FoundChanges, type TreeChanges } from './tree-changes.ts';

export class CopiedTree {
  readonly #copy: string;
  #remembered: Map<WorkspacePath, string> = new Map();

  constructor(copy: string) {
    this.#copy = copy;
  }

  /** Records the current state of the tree as unchanged. */
  async remember(signal: AbortSignal): Promise<void> {
    this.#remembered = (await this.#look(signal)).files;
  }

  /** Records the current state at and below these paths as unchanged. */
  async rememberPaths(paths: readonly WorkspacePath[]): Promise<void> {
    for (const path of paths) {
      for (const known of this.#remembered.keys()) {
        if (known === path || isBelow(known, path)) this.#remembered.delete(known);
      }
      const seen = await this.#lookAt(path);
      for (const [file, print] of seen) this.#remembered.set(file, print);
    }
  }

  async changes(signal: AbortSignal): Promise<TreeChanges> {
    const { files, directories, specials } = await this.#look(signal);
    const found = new FoundChanges();
    for (const [path, print] of files) if (this.#remembered.get(path) !== print) found.write(path);
    for (const [path, why] of specials) found.leaveOut(path, why);
    const gone = new Set<WorkspacePath>();
    for (const path of this.#remembered.keys()) {
      if (files.has(path)) continue;
      // The outermost removed directory stands for everything below it.
      gone.add(ancestorsOf(path).findLast((ancestor) => !directories.has(ancestor)) ?? path);
    }
    for (const path of gone) found.remove(path);
    return found.result();
  }

  async #look(signal: AbortSignal, from: WorkspacePath = rootPath): Promise<SeenTree> {
    const seen: SeenTree = { files: new Map(), directories: new Set(), specials: new Map() };
    await walkTree(from, { visit: (directory) => this.#enter(directory, seen) }, signal);
    return seen;
  }

  /** Records the entries of a directory and returns its subdirectories. */
  async #enter(directory: WorkspacePath, seen: SeenTree): Promise<readonly WorkspacePath[]> {
    const entries = await readdir(join(this.#copy, directory), { withFileTypes: true });
    const files: WorkspacePath[] = [];
    const directories: WorkspacePath[] = [];
    for (const entry of entries) {
      const path = childOf(directory, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      else seen.specials.set(path, 'it is neither a file nor a link');
    }
    for (const path of directories) seen.directories.add(path);
    await mapConcurrently(files, 16, async (path) => {
      seen.files.set(path, await this.#print(path));
    });
    return directories;
  }

  async #lookAt(path: WorkspacePath): Promise<ReadonlyMap<WorkspacePath, string>> {
    try {
      if (!(await lstat(join(this.#copy, path))).isDirectory())
        return new Map([[path, await this.#print(path)]]);
      return (await this.#look(neverAborts(), path)).files;
    } catch (thrown) {
      if (isMissing(thrown)) return new Map();
      throw thrown;
    }
  }

  async #print(path: WorkspacePath): Promise<string> {
    const { ino, size, mode, mtimeNs, ctimeNs } = await lstat(join(this.#copy, path), { bigint: true });
    return [ino, size, mode, mtimeNs, ctimeNs].join(' ');
  }
}

interface SeenTree {
  readonly files: Map<WorkspacePath, string>;
  readonly directories: Set<WorkspacePath>;
  readonly specials: Map<WorkspacePath, string>;
}
