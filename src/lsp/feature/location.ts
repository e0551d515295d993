/**
 * The three shapes in which servers name places: one location, a list of them, a list of links.
 *
 * Invariant: a link is read as the identifier it leads to, never as the whole body around it; what names no
 * place is left out.
 */
import type { Range } from '../../text/range.ts';
import { isRecord } from '../internal/json.ts';
import { readRange } from '../internal/wire-range.ts';

/** A place in the server's own terms: its URI, its columns. */
export interface WireLocation {
  readonly uri: string;
  readonly range: Range;
}

export function readLocations(answer: unknown): readonly WireLocation[] {
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return items.flatMap((item) => readLocation(item) ?? []);
}

function readLocation(item: unknown): WireLocation | undefined {
  if (!isRecord(item)) return undefined;
  const isLink = typeof item.targetUri === 'string';
  const uri = isLink ? item.targetUri : item.uri;
  const range = isLink
    ? (readRange(item.targetSelectionRange) ?? readRange(item.targetRange))
    : readRange(item.range);
  return typeof uri === 'string' && range ? { uri, range } : undefined;
}
