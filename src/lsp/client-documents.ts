/**
 * The documents a client has open, according to its notifications: the mirror of OpenDocuments.
 *
 * Invariant: after each notification the text here equals the client's. A notification that contradicts earlier ones
 * is a failure, since nothing after it could be trusted.
 */

import { isRecord, itemsOf } from '../base/record.ts';
import { decodeRange, LineIndex, type PositionEncoding, type Range } from '../text/position.ts';
import { parseRange } from './diagnostic.ts';
import { canonicalUri, DocumentState } from './document.ts';

export interface ClientDocument {
  /** As the client spells it. */
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

export class ClientDocuments {
  readonly #open = new Map<string, ClientDocument>();
  readonly #encoding: () => PositionEncoding;

  /** `encoding` is how the client counts columns, which is that of the server. */
  constructor(encoding: () => PositionEncoding) {
    this.#encoding = encoding;
  }

  all(): readonly ClientDocument[] {
    return [...this.#open.values()];
  }

  /** Applies a notification; false if it is not about an open document. */
  receive(method: string, params: unknown): boolean {
    const take = this.#takes[method];
    if (!take) return false;
    const { textDocument, contentChanges } = isRecord(params) ? params : {};
    if (!isRecord(textDocument) || typeof textDocument.uri !== 'string') {
      throw new DocumentState(`${method} names no document`);
    }
    take(textDocument.uri, textDocument, contentChanges);
    return true;
  }

  readonly #takes: Readonly<Record<string, Take>> = {
    'textDocument/didOpen': (uri, { version, text }) => {
      const key = canonicalUri(uri);
      if (this.#open.has(key)) throw new DocumentState(`${uri} is open already`);
      this.#open.set(key, { uri, version: numberOf(version), text: String(text) });
    },
    'textDocument/didChange': (uri, { version }, changes) => {
      const known = this.#known(uri);
      const text = itemsOf(changes).reduce<string>(
        (before, change) => changed(before, change, this.#encoding()),
        known.text,
      );
      this.#open.set(canonicalUri(uri), { ...known, version: numberOf(version), text });
    },
    'textDocument/didClose': (uri) => {
      this.#known(uri);
      this.#open.delete(canonicalUri(uri));
    },
  };

  #known(uri: string): ClientDocument {
    const known = this.#open.get(canonicalUri(uri));
    if (!known) throw new DocumentState(`${uri} is not open`);
    return known;
  }
}

type Take = (uri: string, document: Readonly<Record<string, unknown>>, changes: unknown) => void;

function changed(text: string, change: unknown, encoding: PositionEncoding): string {
  if (!isRecord(change) || typeof change.text !== 'string') throw new DocumentState('a change holds no text');
  if (change.range === undefined) return change.text;
  const index = new LineIndex(text);
  const range: Range = decodeRange(index, parseRange(change.range), encoding);
  return text.slice(0, index.offsetAt(range.start)) + change.text + text.slice(index.offsetAt(range.end));
}

function numberOf(version: unknown): number {
  if (typeof version !== 'number') throw new DocumentState('a document was told of without a version');
  return version;
}
