import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

/** The signatures of the call at a position, as the server sent them; null if there are none. */
export async function signatureHelp(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<unknown> {
  const question = {
    provider: 'signatureHelpProvider',
    method: 'textDocument/signatureHelp',
    extras: {},
  } as const;
  return (await requestAt(server, question, at, signal)) ?? null;
}
