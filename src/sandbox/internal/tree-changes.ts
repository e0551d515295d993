/**
 * The changed paths of a tree in which commands ran, before contents are compared.
 *
 * Invariant: a removed directory is one path, and nothing below it is listed; files of the Git repository are listed
 * separately.
 */

import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { LeftOut } from '../harvest.ts';

export interface TreeChanges {
  /** Existing files and links that may differ. */
  readonly written: readonly WorkspacePath[];
  readonly removed: readonly WorkspacePath[];
  readonly repository: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Collects the paths found by a walk. */
export class FoundChanges {
  readonly #written: WorkspacePath[] = [];
  readonly #removed: WorkspacePath[] = [];
  readonly #repository: string[] = [];
  readonly #leftOut: LeftOut[] = [];
  #newObjects = 0;

  write(path: WorkspacePath): void {
    if (this.#isRepositorys(path)) return;
    // The replacement character stands for invalid bytes; the file could not be found by this name.
    if (path.includes('\uFFFD')) this.leaveOut(path, 'its name is not valid UTF-8');
    else this.#written.push(path);
  }

  remove(path: WorkspacePath): void {
    if (!this.#isRepositorys(path)) this.#removed.push(path);
  }

  leaveOut(path: WorkspacePath, why: string): void {
    if (!isInRepository(path)) this.#leftOut.push({ path, why });
  }

  result(): TreeChanges {
    const objects = this.#newObjects > 0 ? [`.git/objects (${this.#newObjects} changed)`] : [];
    return {
      written: this.#written,
      removed: this.#removed,
      repository: [...this.#repository.sort(), ...objects],
      leftOut: this.#leftOut,
    };
  }

  #isRepositorys(path: WorkspacePath): boolean {
    if (!isInRepository(path)) return false;
    if (/(?:^|\/)\.git\/objects\//.test(path)) this.#newObjects += 1;
    else this.#repository.push(path);
    return true;
  }
}

export function isInRepository(path: WorkspacePath): boolean {
  return /(?:^|\/)\.git(?:\/|$)/.test(path);
}
