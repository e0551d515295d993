/**
 * The edit by which a server renames a symbol.
 *
 * Invariant: the edit comes back as the server wrote it, in the server's columns: edits of servers and of other callers
 * have one reader, in `overlay/`.
 */
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { offers, positionParams, request, requestAt } from './internal/request.ts';

/** Undefined where the server renames nothing at the position. */
export async function rename(
  server: LanguageServer,
  at: DocumentPosition,
  newName: string,
  signal: AbortSignal,
): Promise<unknown> {
  const question = {
    provider: 'renameProvider',
    method: 'textDocument/rename',
    extras: { newName },
  } as const;
  return (await requestAt(server, question, at, signal)) ?? undefined;
}

/** What the server would rename at a position, in the protocol's own shape; null where it would not, or does not say. */
export async function renameTarget(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<unknown> {
  const prepares = {
    provider: 'renameProvider',
    method: 'textDocument/rename',
    option: 'prepareProvider',
  } as const;
  if (!offers(server, prepares)) return null;
  return (await request(server, 'textDocument/prepareRename', positionParams(server, at), signal)) ?? null;
}
