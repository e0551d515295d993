/**
 * A file on disk that is edited by the answer of a server.
 *
 * Invariant: the text equals the text shown to the server, and the overlay is based on it. A change before that is
 * detected here, a later change at commit.
 */
import { type Query, shownText } from '../../code/query.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { type Overlay, readText } from '../../overlay/overlay.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { EditConflict } from '../failure.ts';
import { refuseUnsaved } from './landed-edit.ts';

export interface DiskFile {
  readonly path: WorkspacePath;
  readonly text: string;
  readonly overlay: Overlay;
}

export async function diskFile(query: Query, path: WorkspacePath, view: WorkspaceView): Promise<DiskFile> {
  await refuseUnsaved(view, [path]);
  const overlay = view.live.emptyOverlay();
  const { text } = await readText(overlay, path);
  if (shownText(query, path) !== text) throw new EditConflict([path]);
  return { path, text, overlay };
}
