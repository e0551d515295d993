import { askAt, type Place, type Query } from './query.ts';

/** The signatures of the call around a place, as the server writes them; null where there are none. */
export async function signatureHelp(query: Query, place: Place, signal: AbortSignal): Promise<unknown> {
  const question = { provider: 'signatureHelpProvider', method: 'textDocument/signatureHelp' };
  return (await askAt(query, place, question, signal)) ?? null;
}
