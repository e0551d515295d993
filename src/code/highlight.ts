/** The places in one file where the same thing is read, written or named. */
import { rangeDecoder } from '../lsp/columns.ts';
import { type Highlight, readHighlights } from '../lsp/feature/highlight.ts';
import { askAt, type Place, type Query } from './query.ts';

export async function highlights(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly Highlight[]> {
  const question = { provider: 'documentHighlightProvider', method: 'textDocument/documentHighlight' };
  const found = readHighlights(await askAt(query, place, question, signal));
  const decode = rangeDecoder(query.lease.server, query.lease.uri(place.path));
  return found.map(({ range, ...rest }) => ({ range: decode(range), ...rest }));
}
