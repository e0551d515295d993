/**
 * Documents as a server knows them: the spelling of their URIs, the open ones with their texts and versions, and the
 * columns that the server counts in them.
 *
 * Servers escape characters in URIs that we do not (`[id].ts`, `a+b.ts`, drive letters), and a publication stored under
 * another spelling would make a broken file look clean. Of columns we offer UTF-16 only. For a server that uses another
 * encoding anyway, they are converted by the text of the document: the open one, or the file on disk.
 *
 * Invariants: versions of one document strictly increase for the lifetime of the connection, across closing and
 * reopening, so a version identifies one text. Two URIs of the same path have the same canonical form. With a server
 * that uses UTF-16, every position passes unchanged.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure } from '../base/failure.ts';
import { isRecord } from '../base/record.ts';
import { commonSplice } from '../text/diff.ts';
import {
  decodeRange,
  encodeRange,
  LineIndex,
  type Position,
  type PositionEncoding,
  type Range,
} from '../text/position.ts';
import type { SyncKind } from './capabilities.ts';

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

/** The form of `pathToFileURL`; a URI that names no local file is returned unchanged. */
export function canonicalUri(uri: string): string {
  if (plainFileUri.test(uri) || !uri.startsWith('file:')) return uri;
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    // Not a path on this system (a host name, a broken escape): it can only be compared literally.
    return uri;
  }
}

/** The document of a request's parameters, if there is one. */
export function documentOf(params: unknown): string | undefined {
  const document = isRecord(params) ? params.textDocument : undefined;
  return isRecord(document) && typeof document.uri === 'string' ? document.uri : undefined;
}

/** Most URIs contain nothing that is ever escaped and need no parsing. */
const plainFileUri = /^file:\/\/\/(?:[\w-]|[./](?!\.))*$/;

/** The part of a server that columns depend on. */
export interface ColumnSource {
  readonly documents: {
    readonly encoding: PositionEncoding;
    index(uri: string): LineIndex | undefined;
  };
}

/** Converts the server's ranges of a document into ours; the text is read once for all of them. */
export function rangeDecoder({ documents }: ColumnSource, uri: string): (range: Range) => Range {
  const { encoding } = documents;
  if (encoding === 'utf-16') return (range) => range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? (range) => decodeRange(index, range, encoding) : (range) => range;
}

/** A position of ours as the server counts it. */
export function encodePosition(source: ColumnSource, uri: string, position: Position): Position {
  return encodeColumns(source, uri, { start: position, end: position }).start;
}

/** A range of ours as the server counts it. */
export function encodeColumns({ documents }: ColumnSource, uri: string, range: Range): Range {
  const { encoding } = documents;
  if (encoding === 'utf-16') return range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? encodeRange(index, range, encoding) : range;
}

function indexOnDisk(uri: string): LineIndex | undefined {
  try {
    return new LineIndex(readFileSync(fileURLToPath(uri), 'utf8'));
  } catch {
    // Not a readable file: the columns stay as they are, which is right for ASCII.
    return undefined;
  }
}
