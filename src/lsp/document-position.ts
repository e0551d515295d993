import type { Position, Range } from '../text/position.ts';

/** A position in a document, with the server's URI and in UTF-16 columns. */
export interface DocumentPosition {
  readonly uri: string;
  readonly position: Position;
}

/** A range of a document, with the server's URI. */
export interface DocumentRange {
  readonly uri: string;
  readonly range: Range;
}
