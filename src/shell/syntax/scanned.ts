/**
 * The common result of the scanners of single constructs.
 *
 * Invariant: a scanner is a function of the text and a position; it has no state.
 */

/** The result of a scanner and its end position. */
export interface Scanned<T> {
  readonly value: T;
  readonly end: number;
  /** A here-document's body, to be skipped at the end of its line. */
  readonly body?: { readonly lineEnd: number; readonly end: number };
}

/** The text a sticky expression matches at `at`. */
export function sticky(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}
