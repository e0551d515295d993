/**
 * What one client sees of the workspace: the disk, with its open documents and the files it calls gone laid over.
 *
 * Invariant: `current` is a value. It stays the same object until the client says something new, and what was
 * taken once is never altered.
 */

import { type ClientDocument, ClientDocuments } from '../lsp/client-documents.ts';
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import type { PositionEncoding } from '../text/position-encoding.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export interface View {
  /** Every open document is part of it, so that the server has it open while the client asks. */
  readonly effect: OverlayEffect;
  readonly documents: readonly ClientDocument[];
}

export class ClientView {
  readonly #workspace: Workspace;
  readonly #documents: ClientDocuments;
  /** Files that are on the disk and, as the client has it, are not. */
  readonly #hidden = new Set<WorkspacePath>();
  #current: View | undefined;

  constructor(workspace: Workspace, encoding: () => PositionEncoding) {
    this.#workspace = workspace;
    this.#documents = new ClientDocuments(encoding);
  }

  get current(): View {
    this.#current ??= this.#view();
    return this.#current;
  }

  /** Takes a notification about a document in; false when it is about something else. */
  receive(method: string, params: unknown): boolean {
    const isReceived = this.#documents.receive(method, params);
    if (isReceived) this.#current = undefined;
    return isReceived;
  }

  /**
   * Takes in what the client says of files. That one is gone which `isThere` is part of what the client shows: files
   * are hidden from a server by the word that they were deleted.
   */
  receiveFiles(events: readonly FileEvent[], isThere: (path: WorkspacePath) => boolean): void {
    for (const { path, kind } of events) {
      if (kind === 'deleted' && isThere(path)) this.#hidden.add(path);
      else if (!this.#hidden.delete(path)) continue;
      this.#current = undefined;
    }
  }

  #view(): View {
    const effect = new Map<WorkspacePath, FileContent | 'removed'>();
    for (const path of this.#hidden) effect.set(path, 'removed');
    const documents = this.#documents.all();
    for (const { uri, text } of documents) {
      const path = this.#workspace.fromUri(uri);
      if (path !== undefined) effect.set(path, { kind: 'text', text });
    }
    return { effect, documents };
  }
}
