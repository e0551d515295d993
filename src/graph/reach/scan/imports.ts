/**
 * The imports of a file, read from its text alone.
 *
 * Invariant: every import of the file is in `specifiers`; text that only looks like an import, in a comment or a
 * string, may be there as well.
 */
export interface ImportScan {
  readonly specifiers: readonly string[];
  /** Whether files that do not import this one may depend on it. */
  readonly isGlobal: boolean;
}

/** An import whose target cannot be read from the text: it may mean any file. */
export const anySpecifier = '*';
