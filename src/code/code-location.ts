/** Stretches of files as answers name them. */
import type { Range } from '../text/range.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** A stretch of a file, in the workspace or outside it. */
export interface CodeLocation {
  readonly uri: string;
  /** Undefined for what lies outside the workspace, such as a library. */
  readonly path: WorkspacePath | undefined;
  readonly range: Range;
}
