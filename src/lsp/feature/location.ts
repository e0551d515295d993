/**
 * The three forms of locations in responses: one location, a list of them, a list of links.
 *
 * Invariant: a link is read as the identifier it leads to, never as the whole body around it; entries without a
 * location are omitted.
 */

import { isRecord } from '../../base/record.ts';
import { type ColumnSource, rangeDecoder } from '../document.ts';
import type { DocumentRange } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';

/** The locations of a response in UTF-16 columns. */
export function ownLocations(server: ColumnSource, answer: unknown): readonly DocumentRange[] {
  return readLocations(answer).map((location) => ownLocation(server, location));
}

export function ownLocation(server: ColumnSource, { uri, range }: DocumentRange): DocumentRange {
  return { uri, range: rangeDecoder(server, uri)(range) };
}

/** The locations of a response in the columns of the server. */
export function readLocations(answer: unknown): readonly DocumentRange[] {
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return items.flatMap((item) => readLocation(item) ?? []);
}

function readLocation(item: unknown): DocumentRange | undefined {
  if (!isRecord(item)) return undefined;
  const isLink = typeof item.targetUri === 'string';
  const uri = isLink ? item.targetUri : item.uri;
  const range = isLink
    ? (readRange(item.targetSelectionRange) ?? readRange(item.targetRange))
    : readRange(item.range);
  return typeof uri === 'string' && range ? { uri, range } : undefined;
}
