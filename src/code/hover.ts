/** What a server tells of the name at a place. */
import { readHover } from '../lsp/feature/hover.ts';
import { askAt, type Place, type Query } from './query.ts';

/** Markdown as it came; empty where there is nothing to tell. */
export async function hoverText(query: Query, place: Place, signal: AbortSignal): Promise<string> {
  const question = { provider: 'hoverProvider', method: 'textDocument/hover' };
  return readHover(await askAt(query, place, question, signal));
}
