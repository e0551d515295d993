/** Definitions, declarations, implementations and type definitions. */
import type { DocumentPosition, DocumentRange } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';
import { ownLocations } from './location.ts';

export type DefinitionKind = 'definition' | 'typeDefinition' | 'implementation' | 'declaration';

/** In the server's order; empty if it does not support the request. */
export async function definitionsAt(
  server: LanguageServer,
  kind: DefinitionKind,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<readonly DocumentRange[]> {
  const question = {
    provider: `${kind}Provider`,
    method: `textDocument/${kind}`,
    extras: {},
  } as const;
  return ownLocations(server, await requestAt(server, question, at, signal));
}
