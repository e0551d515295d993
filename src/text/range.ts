import { comparePositions, type Position } from './position.ts';

/** A stretch of text; `end` is just past its last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Orders by start, then by end. */
export function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(a.end, b.end);
}
