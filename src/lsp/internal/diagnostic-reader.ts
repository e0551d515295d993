/**
 * Reads published and pulled diagnostics in the terms of the documents they are about.
 *
 * Invariant: an answer without a full list of diagnostics is a failure, never an empty list.
 */
import type { PositionEncoding } from '../../text/position-encoding.ts';
import { rangeDecoder } from '../columns.ts';
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
    return parseDiagnostics(
      items,
      rangeDecoder({ documents: this.#documents, encoding: this.#wire.encoding }, uri),
    );
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
}
