import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/** The part of a workspace that one server has loaded. */
export interface LoadScope {
  /** Whether everything is loaded, from now on: nothing is left to include. */
  readonly isWhole: boolean;
  /** How many source files are outside the scope, as far as known. */
  readonly leftOut: number;
  /**
   * Extends the scope so that the server's answers about these files are those it would give with everything loaded.
   */
  include(paths: Iterable<WorkspacePath>, why: 'edited' | 'asked'): Promise<void>;
  /** Loads as much as possible: what is still excluded afterwards was excluded by the caller's choice. */
  includeEverything(): Promise<void>;
}
