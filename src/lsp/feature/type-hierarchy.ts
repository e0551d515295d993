/** Supertypes and subtypes of a type. */
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import {
  type DocumentHierarchyItem,
  ownItems,
  requestRelatives,
  unknownDirection,
} from './hierarchy-item.ts';
import { requestAt } from './internal/request.ts';

/** The names of both directions, for messages about a direction that a server does not support. */
export const typeDirections = {
  supertypes: 'typeHierarchy/supertypes',
  subtypes: 'typeHierarchy/subtypes',
} as const;

/** The types at a position; empty if the server has no type hierarchy. */
export async function prepareTypeHierarchy(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<readonly DocumentHierarchyItem[]> {
  const question = {
    provider: 'typeHierarchyProvider',
    method: 'textDocument/prepareTypeHierarchy',
    extras: {},
  } as const;
  return ownItems(server, await requestAt(server, question, at, signal));
}

/** Undefined if the server does not support this direction. */
export async function relatedTypes(
  server: LanguageServer,
  direction: keyof typeof typeDirections,
  item: DocumentHierarchyItem,
  signal: AbortSignal,
): Promise<readonly DocumentHierarchyItem[] | undefined> {
  const answer = await requestRelatives(server, typeDirections[direction], item, signal);
  return answer === unknownDirection ? undefined : ownItems(server, answer);
}
