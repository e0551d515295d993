import type { DocumentPosition, DocumentRange } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';
import { ownLocations } from './location.ts';

/** All references of the symbol at a position, in the server's order. */
export async function referencesAt(
  server: LanguageServer,
  at: DocumentPosition,
  context: { readonly includeDeclaration: boolean },
  signal: AbortSignal,
): Promise<readonly DocumentRange[]> {
  const question = {
    provider: 'referencesProvider',
    method: 'textDocument/references',
    extras: { context },
  } as const;
  return ownLocations(server, await requestAt(server, question, at, signal));
}
