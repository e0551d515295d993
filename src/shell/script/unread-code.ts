/**
 * Thrown by a checker of program text at the first text it does not accept; always caught by its caller.
 *
 * Invariant: carries the text at which the check stopped, for the message of the boundary.
 */
export class UnreadCode extends Error {
  readonly from: string;

  constructor(from: string) {
    super(`not read from ${from}`);
    this.from = from;
  }
}

/** The files a program reads, or the text from which it is not known to be read-only. */
export type CheckedCode =
  | { readonly kind: 'reads'; readonly paths: readonly string[]; readonly code: string }
  | { readonly kind: 'unread'; readonly from: string };
