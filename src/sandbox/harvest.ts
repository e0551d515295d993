/**
 * The changes of commands, collected into an overlay.
 *
 * Invariant: committing the overlay gives the tree that the commands left; a file with a new time stamp only is not a
 * change. Files of the Git repository (`.git`, at any depth) are never included: a commit made in the sandbox is
 * reported, and discarded with it.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type HarvestOutcome =
  | Harvest
  /** These files changed on disk while commands changed them too, so the commands' changes are in doubt. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export interface Harvest {
  readonly kind: 'harvested';
  /** The shown overlay, with all changes of the commands. */
  readonly overlay: Overlay;
  /** The changes of the commands only, as a layer on the shown overlay. */
  readonly made: Overlay;
  /** Changed files of the Git repository, by path; many new objects are summarised in one line. */
  readonly repository: readonly string[];
  /** Changes that an overlay cannot hold. */
  readonly leftOut: readonly LeftOut[];
  /** Files the commands wrote outside the workspace since the last harvest. They are deleted with the sandbox. */
  readonly outside: WrittenOutside;
}

export interface WrittenOutside {
  /** Absolute paths, sorted: files and empty directories below temporary directories and the home directory. */
  readonly files: readonly string[];
  /** Absolute paths, sorted: files in caches, which tools recreate when missing. */
  readonly caches: readonly string[];
  /** Whether there may be more files than are listed; the list of caches may always be incomplete. */
  readonly truncated: boolean;
}

export interface LeftOut {
  readonly path: WorkspacePath;
  readonly why: string;
}

export interface HarvestLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}
