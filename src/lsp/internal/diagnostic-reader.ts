/**
 * Reads published and pulled diagnostics in the terms of the documents they are about.
 *
 * Invariant: an answer without a full list of diagnostics is a failure, never an empty list.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LineIndex } from '../../text/line-index.ts';
import { decodeRange, type PositionEncoding } from '../../text/position-encoding.ts';
import type { Range } from '../../text/range.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { canonicalUri } from '../document-uri.ts';
import type { OpenDocuments } from '../open-documents.ts';
import type { PulledDiagnostics } from '../pulled-diagnostics.ts';
import { ProtocolGarbage } from '../server-failure.ts';
import { isRecord } from './json.ts';
import { parseDiagnostics } from './wire-diagnostic.ts';

export class DiagnosticReader {
  readonly #documents: OpenDocuments;
  readonly #wire: { readonly encoding: PositionEncoding };

  constructor(documents: OpenDocuments, wire: { readonly encoding: PositionEncoding }) {
    this.#documents = documents;
    this.#wire = wire;
  }

  read(uri: string, items: unknown): readonly Diagnostic[] {
    return parseDiagnostics(items, this.#decoder(uri));
  }

  /** Joins the reports a server gave about one document, one for each name it has its diagnostics under. */
  mergeReports(uri: string, reports: readonly unknown[]): PulledDiagnostics {
    const found = new Map<string, readonly Diagnostic[]>();
    const add = (about: string, items: readonly unknown[]): void => {
      const key = canonicalUri(about);
      found.set(key, [...(found.get(key) ?? []), ...this.read(about, items)]);
    };
    for (const report of reports) {
      if (!isRecord(report) || !Array.isArray(report.items)) {
        throw new ProtocolGarbage(`a full diagnostic report was asked for, got ${JSON.stringify(report)}`);
      }
      add(uri, report.items);
      for (const [other, related] of Object.entries(report.relatedDocuments ?? {})) {
        if (isRecord(related) && Array.isArray(related.items)) add(other, related.items);
      }
    }
    const own = canonicalUri(uri);
    const items = found.get(own) ?? [];
    found.delete(own);
    return { items, related: found };
  }

  /** UTF-16 is all we offer; a server that counts otherwise all the same is understood by its document's text. */
  #decoder(uri: string): (range: Range) => Range {
    const { encoding } = this.#wire;
    if (encoding === 'utf-16') return (range) => range;
    const index = this.#documents.index(uri) ?? indexOnDisk(uri);
    return index ? (range) => decodeRange(index, range, encoding) : (range) => range;
  }
}

function indexOnDisk(uri: string): LineIndex | undefined {
  try {
    return new LineIndex(readFileSync(fileURLToPath(uri), 'utf8'));
  } catch {
    // Not a readable file: the columns stay as the server counted them, which is right for ASCII.
    return undefined;
  }
}
