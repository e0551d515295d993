/**
 * Thrown inside a checker of program text at the first place it does not accept; never leaves its file's caller.
 *
 * Invariant: carries the text the check stopped at, for the message of the boundary.
 */
export class UnreadCode extends Error {
  readonly from: string;

  constructor(from: string) {
    super(`not read from ${from}`);
    this.from = from;
  }
}

/** What a program reads, or the text from which it is not known to only read. */
export type CheckedCode =
  | { readonly kind: 'reads'; readonly paths: readonly string[]; readonly code: string }
  | { readonly kind: 'unread'; readonly from: string };
