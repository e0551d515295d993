/**
 * The places in a document that stand for the same thing.
 *
 * Invariant: a place without a range is left out; a kind is kept only where the server gave one.
 */
import type { Range } from '../../text/range.ts';
import { isRecord, itemsOf } from '../internal/json.ts';
import { readRange } from '../internal/wire-range.ts';

export interface Highlight {
  readonly range: Range;
  /** 1 text, 2 read, 3 write. */
  readonly kind?: number;
}

export function readHighlights(answer: unknown): readonly Highlight[] {
  return itemsOf(answer).flatMap((item) => {
    if (!isRecord(item)) return [];
    const range = readRange(item.range);
    return range ? [{ range, ...(typeof item.kind === 'number' && { kind: item.kind }) }] : [];
  });
}
