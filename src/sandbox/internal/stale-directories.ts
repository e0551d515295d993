/**
 * Finds the directories of a mounted overlay filesystem that the disk replaced or removed below it.
 *
 * The kernel remembers each directory of the disk that it looked up. Once that is removed, files in the mounted directory
 * can still be opened by name, but the directory lists nothing and cannot be removed, also if the disk has another one
 * there by now. Only a remount makes the kernel look again.
 *
 * Invariant: after `renew(path)` no directory above the path is in this state, as far as the disk did not change meanwhile.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { ancestorsOf, type WorkspacePath } from '../../workspace/workspace-path.ts';

interface StaleDirectoryParts {
  /** The mounted workspace. */
  readonly view: string;
  /** The workspace on disk. */
  readonly root: string;
  /** Has the kernel forget every directory it looked up. */
  readonly remount: () => Promise<void>;
}

export class StaleDirectories {
  readonly #parts: StaleDirectoryParts;
  /** Which directory the disk had at each path when the mount was known to be right. */
  readonly #known = new Map<WorkspacePath, string>();

  constructor(parts: StaleDirectoryParts) {
    this.#parts = parts;
  }

  async renew(path: WorkspacePath): Promise<void> {
    for (const directory of ancestorsOf(path).reverse()) {
      const found = await identityOf(join(this.#parts.root, directory));
      const before = this.#known.get(directory);
      if (before === found) continue;
      const shown = join(this.#parts.view, directory);
      if (!(await isDirectory(shown))) return;
      // One that is empty for another reason costs a remount, once.
      if (before !== undefined || (await readdir(shown)).length === 0) {
        await this.#parts.remount();
        this.#known.clear();
      }
      this.#known.set(directory, found);
    }
  }
}

/** Whether it is one itself: a symlink may lead out of the workspace. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

/** The time is part of it: a filesystem gives the number of a removed directory to the next one. */
async function identityOf(directory: string): Promise<string> {
  try {
    const { ino, birthtimeMs } = await lstat(directory);
    return `${ino} ${birthtimeMs}`;
  } catch (thrown) {
    if (isMissing(thrown)) return 'missing';
    throw thrown;
  }
}
