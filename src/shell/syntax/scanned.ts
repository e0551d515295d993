/**
 * What the scanners of single constructs have in common.
 *
 * Invariant: a scanner is a function of the text and a place in it; it keeps no state of its own.
 */

/** What a scanner of one construct found and where it ended. */
export interface Scanned<T> {
  readonly value: T;
  readonly end: number;
  /** A here-document's body, to be skipped when the line it hangs on ends. */
  readonly body?: { readonly lineEnd: number; readonly end: number };
}

/** The text a sticky expression matches at `at`. */
export function sticky(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}
