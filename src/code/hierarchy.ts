/**
 * Who calls whom, and which types stand above and below which.
 *
 * Invariant: an item carries what its server needs to tell more of it, and is only asked about there.
 */
import { rangeDecoder } from '../lsp/normalise/columns.ts';
import { readCalls, readHierarchyItems, type WireHierarchyItem } from '../lsp/normalise/hierarchy.ts';
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
): Promise<readonly Call[]> {
  await showUsers(query, item, signal);
  const answer = await askOf(query, item, 'callHierarchy/incomingCalls', signal);
  return readCalls(answer, 'from').map((call) => ({
    item: ownItem(query, call.item),
    fromRanges: call.fromRanges.map(rangeDecoder(query.lease.server, call.item.uri)),
  }));
}

export async function outgoingCalls(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly Call[]> {
  const answer = await askOf(query, item, 'callHierarchy/outgoingCalls', signal);
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

export async function supertypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  const answer = await askOf(query, item, 'typeHierarchy/supertypes', signal);
  return readHierarchyItems(answer).map((found) => ownItem(query, found));
}

export async function subtypes(
  query: Query,
  item: HierarchyItem,
  signal: AbortSignal,
): Promise<readonly HierarchyItem[]> {
  await showUsers(query, item, signal);
  const answer = await askOf(query, item, 'typeHierarchy/subtypes', signal);
  return readHierarchyItems(answer).map((found) => ownItem(query, found));
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

function askOf(query: Query, item: HierarchyItem, method: string, signal: AbortSignal): Promise<unknown> {
  return query.lease.server.request(method, { item: item.raw }, {}, signal);
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
