/**
 * Call and type hierarchies over the files of a workspace.
 *
 * Invariant: before a server is asked for callers or subtypes, the files that may contain them are opened.
 */
import {
  type DocumentCall,
  incomingCallsOf,
  outgoingCallsOf,
  prepareCallHierarchy,
} from '../lsp/feature/call-hierarchy.ts';
import type { DocumentHierarchyItem } from '../lsp/feature/hierarchy-item.ts';
import { prepareTypeHierarchy, relatedTypes } from '../lsp/feature/type-hierarchy.ts';
import type { Range } from '../text/position.ts';
import { type CodeLocation, codeLocation } from './location.ts';
import { type Place, positionOn, type Query } from './query.ts';

/** A function or a type. */
export type HierarchyItem = DocumentHierarchyItem & CodeLocation;

/** The other end of calls, and the call sites, which are always in the caller's file. */
export interface Call {
  readonly item: HierarchyItem;
  readonly fromRanges: readonly Range[];
}

/** The functions at a position; empty if the server has no call hierarchy. */
export async function callItems(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  return codeItems(query, await prepareCallHierarchy(query.lease.server, positionOn(query, place), signal));
}

/** Undefined if the server does not support this direction. */
export async function incomingCalls(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly Call[] | undefined> {
  await showUsers(query, item, signal);
  return (await incomingCallsOf(query.lease.server, item, signal))?.map((call) => codeCall(query, call));
}

/** Undefined if the server does not support this direction. */
export async function outgoingCalls(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly Call[] | undefined> {
  return (await outgoingCallsOf(query.lease.server, item, signal))?.map((call) => codeCall(query, call));
}

/** The types at a position; empty if the server has no type hierarchy. */
export async function typeItems(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  return codeItems(query, await prepareTypeHierarchy(query.lease.server, positionOn(query, place), signal));
}

/** Undefined if the server does not support this direction. */
export async function supertypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[] | undefined> {
  const found = await relatedTypes(query.lease.server, 'supertypes', item, signal);
  return found && codeItems(query, found);
}

/** Undefined if the server does not support this direction. */
export async function subtypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[] | undefined> {
  await showUsers(query, item, signal);
  const found = await relatedTypes(query.lease.server, 'subtypes', item, signal);
  return found && codeItems(query, found);
}

async function showUsers(
  query: Query,
  { path, selectionRange }: HierarchyItem,
  signal: AbortSignal,
): Promise<void> {
  if (path !== undefined)
    await query.dependents?.show(query, { path, position: selectionRange.start }, signal);
}

function codeCall(query: Query, { item, fromRanges }: DocumentCall): Call {
  return { item: codeItem(query, item), fromRanges };
}

function codeItems(query: Query, items: readonly DocumentHierarchyItem[]): readonly HierarchyItem[] {
  return items.map((item) => codeItem(query, item));
}

function codeItem(query: Query, item: DocumentHierarchyItem): HierarchyItem {
  return { ...item, ...codeLocation(query, item) };
}
