/**
 * The documents a server has open, with their texts and versions.
 *
 * Invariant: versions of one document strictly increase for the lifetime of the connection, across closing and
 * reopening, so a version identifies one text.
 */
import { Failure } from '../base/failure.ts';
import { commonSplice } from '../text/diff.ts';
import { encodeRange, LineIndex, type PositionEncoding } from '../text/position.ts';
import type { SyncKind } from './capabilities.ts';
import { canonicalUri } from './document-uri.ts';

export interface OpenDocument {
  /** The URI with which the document was opened. */
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly languageId: string;
}

/** The part of a connection that documents need. */
export interface DocumentWire {
  readonly syncKind: SyncKind;
  readonly encoding: PositionEncoding;
  readonly didChangeExtras: Readonly<Record<string, unknown>>;
  /** Added if only the version changes. */
  readonly touchExtras: Readonly<Record<string, unknown>>;
  /** How a document with the same text is sent again; some servers ignore a change that changes nothing. */
  readonly touchesBy?: 'changing' | 'reopening' | undefined;
  notify(method: string, params: unknown): void;
}

/** A document was opened twice, or changed or closed without being open. */
export class DocumentState extends Failure {
  readonly code = 'lsp/document-state';
  readonly remedy = 'Open a document once before changing it, and close it once.';
}

export class OpenDocuments {
  readonly #wire: DocumentWire;
  readonly #open = new Map<string, ShownDocument>();
  readonly #lastVersions = new Map<string, number>();

  constructor(wire: DocumentWire) {
    this.#wire = wire;
  }

  /** How the server counts columns. Documents and diagnostics are converted here; requests by their callers. */
  get encoding(): PositionEncoding {
    return this.#wire.encoding;
  }

  /** Opens a document; returns its version. */
  open(uri: string, languageId: string, text: string): number {
    const key = canonicalUri(uri);
    if (this.#open.has(key)) throw new DocumentState(`${uri} is open already`);
    const version = this.#nextVersion(key);
    this.#wire.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    this.#open.set(key, new ShownDocument({ uri, languageId, version, text }));
    return version;
  }

  /** Changes the text of an open document; returns its version. Equal text sends nothing. */
  change(uri: string, text: string): number {
    const key = canonicalUri(uri);
    const shown = this.#shown(uri);
    if (shown.document.text === text) return shown.document.version;
    const version = this.#nextVersion(key);
    this.#wire.notify('textDocument/didChange', {
      ...this.#wire.didChangeExtras,
      textDocument: { uri: shown.document.uri, version },
      contentChanges: [this.#contentChange(shown, text)],
    });
    this.#open.set(key, new ShownDocument({ ...shown.document, version, text }));
    return version;
  }

  /**
   * Sends an open document again under a new version, though its text is the same: its diagnostics may have changed
   * with another file, and only a new version distinguishes the next answer.
   */
  touch(uri: string): number {
    const key = canonicalUri(uri);
    const { document } = this.#shown(uri);
    if (this.#wire.touchesBy === 'reopening') {
      this.close(uri);
      return this.open(document.uri, document.languageId, document.text);
    }
    const version = this.#nextVersion(key);
    this.#wire.notify('textDocument/didChange', {
      ...this.#wire.didChangeExtras,
      ...this.#wire.touchExtras,
      textDocument: { uri: document.uri, version },
      contentChanges: [{ text: document.text }],
    });
    this.#open.set(key, new ShownDocument({ ...document, version }));
    return version;
  }

  /** Closes an open document and reopens it with this text, for a server that keeps state derived from the old text. */
  reopen(uri: string, text: string): number {
    const { document } = this.#shown(uri);
    this.close(uri);
    return this.open(document.uri, document.languageId, text);
  }

  /** Closes the document; the server uses the file on disk again. */
  close(uri: string): void {
    const shown = this.#shown(uri);
    this.#wire.notify('textDocument/didClose', { textDocument: { uri: shown.document.uri } });
    this.#open.delete(canonicalUri(uri));
  }

  get(uri: string): OpenDocument | undefined {
    return this.#open.get(canonicalUri(uri))?.document;
  }

  all(): readonly OpenDocument[] {
    return [...this.#open.values()].map((shown) => shown.document);
  }

  /** The line index of an open document's text. */
  index(uri: string): LineIndex | undefined {
    return this.#open.get(canonicalUri(uri))?.index;
  }

  #shown(uri: string): ShownDocument {
    const shown = this.#open.get(canonicalUri(uri));
    if (!shown) throw new DocumentState(`${uri} is not open`);
    return shown;
  }

  #nextVersion(key: string): number {
    const version = (this.#lastVersions.get(key) ?? 0) + 1;
    this.#lastVersions.set(key, version);
    return version;
  }

  #contentChange(shown: ShownDocument, text: string): unknown {
    if (this.#wire.syncKind !== 'incremental') return { text };
    const splice = commonSplice(shown.document.text, text);
    if (!splice) return { text };
    const { index } = shown;
    const range = { start: index.positionAt(splice.start), end: index.positionAt(splice.end) };
    return { range: encodeRange(index, range, this.#wire.encoding), text: splice.text };
  }
}

/** A document with its line index, built on first use. */
class ShownDocument {
  readonly document: OpenDocument;
  #index: LineIndex | undefined;

  constructor(document: OpenDocument) {
    this.document = document;
  }

  get index(): LineIndex {
    this.#index ??= new LineIndex(this.document.text);
    return this.#index;
  }
}
