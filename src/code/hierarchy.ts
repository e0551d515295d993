/**
 * Who calls whom, and which types stand above and below which.
 *
 * Invariants: an item carries what its server needs to tell more of it, and is only asked about there. A server may
 * keep a hierarchy and know one of its directions only, which no capability tells: the other is answered with undefined,
 * never with an empty list.
 */
import { rangeDecoder } from '../lsp/columns.ts';
import { readCalls, readHierarchyItems, type WireHierarchyItem } from '../lsp/feature/hierarchy-item.ts';
import { ResponseFailed } from '../lsp/server-failure.ts';
import type { Range } from '../text/range.ts';
import { type CodeLocation, ownLocation } from './location.ts';
import { askAt, type Place, type Query } from './query.ts';

/** A function or a type. */
export interface HierarchyItem extends CodeLocation {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly detail?: string;
  /** Where its name stands. */
  readonly selectionRange: Range;
  readonly data?: unknown;
  /** The item as its server gave it. */
  readonly raw: unknown;
}

/** The other end of calls, and the places where they are made: in the caller's file, whichever end that is. */
export interface Call {
  readonly item: HierarchyItem;
  readonly fromRanges: readonly Range[];
}

/** The functions that can be meant by a place; none where the server keeps no call hierarchy. */
export function callItems(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  const question = { provider: 'callHierarchyProvider', method: 'textDocument/prepareCallHierarchy' };
  return itemsAt(query, place, question, signal);
}

export async function incomingCalls(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly Call[] | undefined> {
  await showUsers(query, item, signal);
  const answer = await askOf(query, item, 'callHierarchy/incomingCalls', signal);
  if (answer === unknownDirection) return undefined;
  return readCalls(answer, 'from').map((call) => ({
    item: ownItem(query, call.item),
    fromRanges: call.fromRanges.map(rangeDecoder(query.lease.server, call.item.uri)),
  }));
}

export async function outgoingCalls(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly Call[] | undefined> {
  const answer = await askOf(query, item, 'callHierarchy/outgoingCalls', signal);
  if (answer === unknownDirection) return undefined;
  const [caller] = readHierarchyItems([item.raw]);
  return readCalls(answer, 'to').map((call) => ({
    item: ownItem(query, call.item),
    fromRanges: call.fromRanges.map(rangeDecoder(query.lease.server, caller?.uri ?? item.uri)),
  }));
}

/** The types that can be meant by a place; none where the server keeps no type hierarchy. */
export function typeItems(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  const question = { provider: 'typeHierarchyProvider', method: 'textDocument/prepareTypeHierarchy' };
  return itemsAt(query, place, question, signal);
}

export function supertypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[] | undefined> {
  return relatedTypes(query, item, 'typeHierarchy/supertypes', signal);
}

export async function subtypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[] | undefined> {
  await showUsers(query, item, signal);
  return relatedTypes(query, item, 'typeHierarchy/subtypes', signal);
}

async function itemsAt(
  query: Query,
  place: Place,
  question: { readonly provider: string; readonly method: string },
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  const answer = await askAt(query, place, question, signal);
  return readHierarchyItems(answer).map((found) => ownItem(query, found));
}

async function showUsers(
  query: Query,
  { path, selectionRange }: HierarchyItem,
  signal: AbortSignal,
): Promise<void> {
  if (path !== undefined)
    await query.dependents?.show(query, { path, position: selectionRange.start }, signal);
}

async function relatedTypes(
  query: Query,
  item: HierarchyItem,
  method: string,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[] | undefined> {
  const answer = await askOf(query, item, method, signal);
  if (answer === unknownDirection) return undefined;
  return readHierarchyItems(answer).map((found) => ownItem(query, found));
}

const unknownDirection = Symbol('unknown direction');

async function askOf(
  query: Query,
  item: HierarchyItem,
  method: string,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await query.lease.server.request(method, { item: item.raw }, {}, signal);
  } catch (thrown) {
    if (thrown instanceof ResponseFailed && thrown.isUnknownMethod) return unknownDirection;
    throw thrown;
  }
}

function ownItem(query: Query, item: WireHierarchyItem): HierarchyItem {
  const { name, kind, tags, detail, data, raw } = item;
  return {
    ...ownLocation(query, item),
    name,
    kind,
    ...(tags && { tags }),
    ...(detail !== undefined && { detail }),
    selectionRange: rangeDecoder(query.lease.server, item.uri)(item.selectionRange),
    ...(data !== undefined && { data }),
    raw,
  };
}
