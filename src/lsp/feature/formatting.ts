/**
 * The edits by which a server formats a document or a range of it.
 *
 * Invariant: edits are returned as the server sent them, in the server's columns, like those of a rename.
 */

import { itemsOf } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { encodeColumns } from '../document.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

export interface FormattingRequest {
  readonly uri: string;
  /** Absent: the whole document. */
  readonly range?: Range;
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Empty if the document is formatted already, or the server does not format. */
export async function formatting(
  server: LanguageServer,
  { uri, range, tabSize, insertSpaces }: FormattingRequest,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const params = { textDocument: { uri }, options: { tabSize, insertSpaces } };
  if (range === undefined) {
    if (!server.capabilities.has('documentFormattingProvider')) return [];
    return itemsOf(await request(server, 'textDocument/formatting', params, signal));
  }
  if (!server.capabilities.has('documentRangeFormattingProvider')) return [];
  const ranged = { ...params, range: encodeColumns(server, uri, range) };
  return itemsOf(await request(server, 'textDocument/rangeFormatting', ranged, signal));
}
