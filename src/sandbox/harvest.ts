/**
 * What commands changed, taken back into an overlay.
 *
 * Invariant: committed, the overlay gives the tree the commands would have left; a file that was only touched
 * is no change. The repository's own files (`.git`, at any depth) are never part of it: a commit made in the
 * sandbox is reported, and lost with it.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type HarvestOutcome =
  | Harvest
  /** These were changed on disk while commands changed them too, so what the commands made of them is in doubt. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export interface Harvest {
  readonly kind: 'harvested';
  /** The overlay that was shown, with everything the commands changed. */
  readonly overlay: Overlay;
  /** The changes of the commands alone, as a layer over what was shown. */
  readonly made: Overlay;
  /** What changed among the repository's own files, by path; many new objects are told in one line. */
  readonly repository: readonly string[];
  /** Changes that an overlay cannot hold. */
  readonly leftOut: readonly LeftOut[];
  /** What the commands wrote outside the workspace since the last harvest. It is lost with the sandbox. */
  readonly outside: WrittenOutside;
}

export interface WrittenOutside {
  /** Absolute paths, sorted: files below temporary directories and the home directory. */
  readonly files: readonly string[];
  /** Absolute paths, sorted: files in caches, which tools make again where they are missing. */
  readonly caches: readonly string[];
  /** Whether there may be more than is listed. */
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
