/**
 * The edit by which a server renames a symbol.
 *
 * Invariant: the edit is returned as the server sent it, in the server's columns: all edits are parsed in `overlay/`.
 */
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { offers, positionParams, request, requestAt } from './internal/request.ts';

/** Undefined if the server cannot rename at the position. */
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

/** What the server would rename at a position, in the protocol's form; null if nothing, or if it does not say. */
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
