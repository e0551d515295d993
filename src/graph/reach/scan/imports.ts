/**
 * What a file asks of others, read from its text alone.
 *
 * Invariant: nothing the file imports is missing from `specifiers`; what only looks like an import, in a
 * comment or a string, may be there as well.
 */
export interface ImportScan {
  readonly specifiers: readonly string[];
  /** Whether files that never name this one may depend on it. */
  readonly isGlobal: boolean;
}

/** Stands for an import whose target cannot be read from the text: it may mean any file. */
export const anySpecifier = '*';
