/**
 * Directories that the user made and that hold no file yet.
 *
 * Invariant: none of them is on disk, since only commits write there and a commit holds files. One that gets a file, by
 * anyone, is a directory like any other.
 */
import { isBelow, moveBelow, type WorkspacePath } from '../workspace/workspace-path.ts';

export class PendingDirectories {
  #paths: readonly WorkspacePath[] = [];

  add(path: WorkspacePath): void {
    if (!this.has(path)) this.#paths = [...this.#paths, path];
  }

  /** Whether it is pending itself, or lies above one that is. */
  has(path: WorkspacePath): boolean {
    return this.#paths.some((each) => each === path || isBelow(each, path));
  }

  /** The pending directories in a directory. */
  in(directory: WorkspacePath): readonly string[] {
    const inside = this.#paths.filter((path) => directory === '' || isBelow(path, directory));
    const names = inside.map((path) => path.slice(directory === '' ? 0 : directory.length + 1));
    return [...new Set(names.map((name) => name.replace(/\/.*$/, '')))];
  }

  /** Removes a directory with those in it. */
  remove(path: WorkspacePath): void {
    this.#paths = this.#paths.filter((each) => each !== path && !isBelow(each, path));
  }

  move(from: WorkspacePath, to: WorkspacePath): void {
    this.#paths = this.#paths.map((each) =>
      each === from || isBelow(each, from) ? moveBelow(each, from, to) : each,
    );
  }

  /** Entries appeared: the directories that are on disk for that reason, and pending no more. */
  appeared(entries: readonly WorkspacePath[]): readonly WorkspacePath[] {
    const isOnDisk = (path: WorkspacePath): boolean =>
      entries.some((entry) => entry === path || isBelow(entry, path));
    const found = this.#paths.filter(isOnDisk);
    if (found.length > 0) this.#paths = this.#paths.filter((path) => !isOnDisk(path));
    return found;
  }
}
