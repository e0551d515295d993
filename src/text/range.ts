import type { Position } from './position.ts';

/** A stretch of text; `end` is just past its last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}
