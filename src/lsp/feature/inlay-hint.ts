import { itemsOf } from '../../base/record.ts';
import { encodeColumns } from '../columns.ts';
import type { DocumentRange } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

/** The inlay hints of a range, as the server sent them. */
export async function inlayHints(
  server: LanguageServer,
  { uri, range }: DocumentRange,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  if (!server.capabilities.has('inlayHintProvider')) return [];
  const params = { textDocument: { uri }, range: encodeColumns(server, uri, range) };
  return itemsOf(await request(server, 'textDocument/inlayHint', params, signal));
}
