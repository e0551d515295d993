/**
 * The documents that a connection opened explicitly, with their unsaved text.
 *
 * Invariant: unsaved text exists only in the connection's view; closing a document removes it from the view.
 */

import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { Overlay, readText } from '../overlay/overlay.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

interface OpenedDocument {
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

export class OpenedDocuments {
  readonly #opened = new Map<string, Set<WorkspacePath>>();

  /** Shows `unsavedText` instead of the file, or the file itself, to all later calls on `workspaces`. */
  open(
    workspaces: ConnectionWorkspaces,
    { view, path, unsavedText }: OpenedDocument & { readonly unsavedText: string | undefined },
  ): void {
    this.#of(view.workspace.root).add(path);
    workspaces.update(view, (current) => {
      const saved = without(current.overlay, path);
      if (unsavedText === undefined) return current.with(saved);
      return current.with(saved.write(path, { kind: 'text', text: unsavedText }));
    });
  }

  close(workspaces: ConnectionWorkspaces, { view, path }: OpenedDocument): void {
    this.#of(view.workspace.root).delete(path);
    workspaces.update(view, (current) => current.with(without(current.overlay, path)));
  }

  list({ workspace }: WorkspaceView): readonly WorkspacePath[] {
    return [...this.#of(workspace.root)].sort();
  }

  #of(root: string): Set<WorkspacePath> {
    const known = this.#opened.get(root) ?? new Set();
    this.#opened.set(root, known);
    return known;
  }
}

function without(unsaved: Overlay, path: WorkspacePath): Overlay {
  if (!unsaved.layer().has(path)) return unsaved;
  return Overlay.on(unsaved.base).writeAll([...unsaved.layer()].filter(([other]) => other !== path));
}

/** Fails if there is no text file at the place, as the connection sees it: unsaved text counts. */
export async function requireText(
  workspaces: ConnectionWorkspaces,
  pathOrUri: string,
  signal: AbortSignal,
): Promise<void> {
  const { view, path } = await workspaces.locateFile(pathOrUri, signal);
  await readText(view.overlay, path);
}
