/** The panes of the editor as the agent knows them: every open buffer, and the one that has the focus. */
import { Failure } from '../../base/failure.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

export interface Pane {
  readonly path: WorkspacePath;
  readonly language: string;
  readonly isUnsaved: boolean;
}

/** Offsets in the text of the buffer. */
export interface PaneFocus {
  readonly path: WorkspacePath;
  readonly anchor: number;
  readonly head: number;
}

export interface Panes {
  open(): readonly Pane[];
  /** The focus of the page that was used last; undefined if no open buffer has it. */
  focus(): PaneFocus | undefined;
}

/** The pane that a call means: the named one, else the focused one; never any other. */
export function meantPath(panes: Panes, given: string | undefined): string {
  if (given !== undefined && given !== '') return given;
  const focused = panes.focus();
  if (focused) return focused.path;
  throw new NoFocusedPane(panes.open());
}

class NoFocusedPane extends Failure {
  readonly code = 'editor/no-focused-pane';
  readonly remedy: string;

  constructor(open: readonly Pane[]) {
    super('no file has the focus, and the call names none');
    const names = open.map(({ path }) => path).join(', ');
    this.remedy =
      open.length > 0 ? `Name one of the open files as uri: ${names}.` : 'No file is open. Use Read.';
  }
}
