/**
 * A file on disk that is about to be edited after a server's word.
 *
 * Invariant: the text is what the server was shown, and the overlay is made on it: a change in between is
 * noticed here, a later one when the overlay is committed.
 */
import { type Query, shownText } from '../../code/query.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { Overlay } from '../../overlay/overlay.ts';
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
  const { text } = await overlay.readText(path);
  if (shownText(query, path) !== text) throw new EditConflict([path]);
  return { path, text, overlay };
}
