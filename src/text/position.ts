/** A place in a text: zero-based line and UTF-16 column, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Negative when `a` comes first, zero when they are the same place. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
