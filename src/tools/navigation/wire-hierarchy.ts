/**
 * Hierarchy items in the shape of LSP, zero-based.
 *
 * Invariant: our own fields (the path, the server's original item) are not sent.
 */
import type { Call, HierarchyItem } from '../../code/hierarchy.ts';
import type { Range } from '../../text/position.ts';

export interface WireItem {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly detail?: string;
  readonly uri: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly data?: unknown;
}

export function wireItem({ path: _path, raw: _raw, ...item }: HierarchyItem): WireItem {
  const { name, kind, tags, detail, uri, range, selectionRange, data } = item;
  return {
    name,
    kind,
    ...(tags && { tags }),
    ...(detail !== undefined && { detail }),
    uri,
    range,
    selectionRange,
    ...(data !== undefined && { data }),
  };
}

export function wireCall<End extends 'from' | 'to'>(
  end: End,
): (call: Call) => Readonly<Record<string, unknown>> {
  return ({ item, fromRanges }) => ({ [end]: wireItem(item), fromRanges });
}
