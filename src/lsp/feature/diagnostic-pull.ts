/**
 * Pull diagnostics.
 *
 * Invariant: a response without a full list of diagnostics is a failure, never an empty list.
 */

import type { DocumentDiagnosticParams } from 'vscode-languageserver-protocol';
import { isRecord } from '../../base/record.ts';
import { type Diagnostic, parseDiagnostics } from '../diagnostic.ts';
import { canonicalUri, rangeDecoder } from '../document.ts';
import type { LanguageServer } from '../language-server.ts';
import { ProtocolGarbage } from '../server-failure.ts';

/** The response for one document, for the text the server had when it was sent the request. */
export interface PulledDiagnostics {
  readonly items: readonly Diagnostic[];
  /** The diagnostics of other documents that came with it, by canonical URI. */
  readonly related: ReadonlyMap<string, readonly Diagnostic[]>;
}

/**
 * The diagnostics of a document, open or not, for the text the server has. Waits as long as the signal allows, so a
 * response always belongs to a request sent by this call.
 */
export async function pullDiagnostics(
  server: LanguageServer,
  uri: string,
  signal: AbortSignal,
): Promise<PulledDiagnostics> {
  const reports = await Promise.all(
    server.capabilities.diagnosticIdentifiers.map((identifier) => {
      const params: DocumentDiagnosticParams = {
        textDocument: { uri },
        ...(identifier !== undefined && { identifier }),
      };
      return server.request('textDocument/diagnostic', params, unlimited, signal);
    }),
  );
  return mergeReports(server, uri, reports);
}

/** No limit but the signal. */
const unlimited = { timeoutMs: Number.POSITIVE_INFINITY } as const;

/** Joins the reports for one document, one for each diagnostic identifier of the server. */
function mergeReports(server: LanguageServer, uri: string, reports: readonly unknown[]): PulledDiagnostics {
  const found = new Map<string, readonly Diagnostic[]>();
  const add = (about: string, items: readonly unknown[]): void => {
    const key = canonicalUri(about);
    const read = parseDiagnostics(items, rangeDecoder(server, about));
    found.set(key, [...(found.get(key) ?? []), ...read]);
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
