/**
 * The workspace as one client sees it: the disk with its open documents and without the files it reported as deleted.
 *
 * Invariant: `current` is a value. It is the same object until the client sends a change, and is never altered.
 */

import { type ClientDocument, ClientDocuments } from '../lsp/client-documents.ts';
import type { OverlayEffect } from '../servers/projection.ts';
import type { PositionEncoding } from '../text/position.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export interface View {
  /** Contains every open document, so that the server has it open during the client's requests. */
  readonly effect: OverlayEffect;
  readonly documents: readonly ClientDocument[];
}

export class ClientView {
  readonly #workspace: Workspace;
  readonly #documents: ClientDocuments;
  /** Files that exist on disk but that the client reported as deleted. */
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

  /** Processes a notification about a document; false for other notifications. */
  receive(method: string, params: unknown): boolean {
    const isReceived = this.#documents.receive(method, params);
    if (isReceived) this.#current = undefined;
    return isReceived;
  }

  /**
   * Processes file events of the client. A deletion of a file that exists (`isThere`) is part of what the client
   * shows: files are hidden from a server by reporting them as deleted.
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
