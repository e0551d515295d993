/**
 * The edit by which a server renames a symbol.
 *
 * Invariant: the edit is returned as the server sent it, in the server's columns: all edits are parsed in `overlay/`.
 */
import { isRecord } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import type { DocumentPosition } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
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

/** What is renamed at a position, in our columns; the placeholder is absent where it is the text of the range. */
export interface RenameTarget {
  readonly range: Range;
  readonly placeholder?: string;
}

/** Undefined if nothing can be renamed, or the server does not say. */
export async function renameTargetAt(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<RenameTarget | undefined> {
  const target = readRenameTarget(await renameTarget(server, at, signal));
  return target && { ...target, range: rangeDecoder(server, at.uri)(target.range) };
}

export function readRenameTarget(answer: unknown): RenameTarget | undefined {
  const range = isRecord(answer) ? (readRange(answer) ?? readRange(answer.range)) : undefined;
  if (!range || !isRecord(answer)) return undefined;
  const { placeholder } = answer;
  return { range, ...(typeof placeholder === 'string' && { placeholder }) };
}
