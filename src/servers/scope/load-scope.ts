import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/** How much of a workspace one server has loaded. */
export interface LoadScope {
  /** How many source files the server was not told to load, as far as that is known. */
  readonly leftOut: number;
  /** Sees to it that the server's answers about these files are those it would give having loaded everything. */
  include(paths: Iterable<WorkspacePath>, why: 'edited' | 'asked'): Promise<void>;
  /** As much as can be: what is still left out afterwards was left out by the caller's choice. */
  includeEverything(): Promise<void>;
}
