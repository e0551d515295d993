/**
 * The items of call and type hierarchies.
 *
 * Invariant: an item keeps the form in which it came, since the server wants it back to tell more of it.
 */
import type { Range } from '../../text/range.ts';
import { isRecord, itemsOf } from '../internal/json.ts';
import { readRange } from '../internal/wire-range.ts';

/** A function or type in the server's own terms. */
export interface WireHierarchyItem {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly detail?: string;
  readonly uri: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly data?: unknown;
  /** As it came. */
  readonly raw: unknown;
}

/** One end of a call and the places, in the caller's file, where it is made. */
export interface WireCall {
  readonly item: WireHierarchyItem;
  readonly fromRanges: readonly Range[];
}

export function readHierarchyItems(answer: unknown): readonly WireHierarchyItem[] {
  return itemsOf(answer).flatMap((item) => readItem(item) ?? []);
}

/** `end` is the member that holds the other end: `from` for incoming calls, `to` for outgoing ones. */
export function readCalls(answer: unknown, end: 'from' | 'to'): readonly WireCall[] {
  return itemsOf(answer).flatMap((call) => {
    if (!isRecord(call)) return [];
    const item = readItem(call[end]);
    if (!item) return [];
    return [{ item, fromRanges: itemsOf(call.fromRanges).flatMap((range) => readRange(range) ?? []) }];
  });
}

function readItem(raw: unknown): WireHierarchyItem | undefined {
  if (!isRecord(raw) || typeof raw.name !== 'string' || typeof raw.uri !== 'string') return undefined;
  const { name, uri, kind, tags, detail, data } = raw;
  const range = readRange(raw.range) ?? readRange(raw.selectionRange);
  if (!range) return undefined;
  return {
    name,
    kind: typeof kind === 'number' ? kind : 0,
    ...(Array.isArray(tags) && { tags }),
    ...(typeof detail === 'string' && { detail }),
    uri,
    range,
    selectionRange: readRange(raw.selectionRange) ?? range,
    ...(data !== undefined && { data }),
    raw,
  };
}
