/**
 * The documents a connection has opened explicitly, with the unsaved text it showed for them.
 *
 * Invariant: unsaved text lives in the executor's buffers and nowhere else; closing a document takes it out again.
 */

import type { OpenWorkspace } from '../live/open-workspaces.ts';
import { Overlay } from '../overlay/overlay.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export class OpenedDocuments {
  readonly #opened = new Map<string, Set<WorkspacePath>>();

  open({ workspace, executor }: OpenWorkspace, path: WorkspacePath, unsavedText: string | undefined): void {
    this.#of(workspace.root).add(path);
    const kept = without(executor.buffers, path);
    executor.setBuffers(
      unsavedText === undefined ? kept : kept.write(path, { kind: 'text', text: unsavedText }),
    );
  }

  close({ workspace, executor }: OpenWorkspace, path: WorkspacePath): void {
    this.#of(workspace.root).delete(path);
    executor.setBuffers(without(executor.buffers, path));
  }

  list({ workspace }: OpenWorkspace): readonly WorkspacePath[] {
    return [...this.#of(workspace.root)].sort();
  }

  #of(root: string): Set<WorkspacePath> {
    const known = this.#opened.get(root) ?? new Set();
    this.#opened.set(root, known);
    return known;
  }
}

function without(buffers: Overlay, path: WorkspacePath): Overlay {
  if (!buffers.layer().has(path)) return buffers;
  return Overlay.on(buffers.base).writeAll([...buffers.layer()].filter(([other]) => other !== path));
}
