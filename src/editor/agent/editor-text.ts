/** The text of the workspace as the editor's user has it: the disk with the unsaved text of every buffer. */
import type { CommitBinding, FilesOutcome } from '../../agent/files/agent-files.ts';
import type { Overlay } from '../../overlay/overlay.ts';

export interface EditorText {
  /** The unsaved text, as one layer over the disk. */
  overlay(): Overlay;
  /**
   * Makes a layer over that overlay real: open buffers are edited in place, other files are written; all of it or
   * nothing, as one step to undo.
   */
  apply(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome>;
}
