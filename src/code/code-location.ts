/** Ranges of files in answers. */
import type { Range } from '../text/position.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** A range of a file, in the workspace or outside it. */
export interface CodeLocation {
  readonly uri: string;
  /** Undefined outside the workspace, for example in a library. */
  readonly path: WorkspacePath | undefined;
  readonly range: Range;
}
