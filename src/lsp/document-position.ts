import type { Position } from '../text/position.ts';
import type { Range } from '../text/range.ts';

/** A position in a document, by the URI the server knows it under and in UTF-16 columns. */
export interface DocumentPosition {
  readonly uri: string;
  readonly position: Position;
}

/** A range of a document, by the URI the server knows it under. */
export interface DocumentRange {
  readonly uri: string;
  readonly range: Range;
}
