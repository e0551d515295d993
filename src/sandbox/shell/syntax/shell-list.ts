/**
 * What the accepting grammar can say: commands of plain words, joined.
 *
 * Invariant: nothing in these types can carry an expansion other than a file name pattern, a write, or a
 * second meaning that a shell would have to be asked about.
 */

/** A piece of a word: text that means itself, or a wildcard. */
export type WordPiece = { readonly literal: string } | { readonly wildcard: '*' | '?' };

export interface ShellWord {
  /** The word after quotes and escapes are taken off; wildcards stand as they are written. */
  readonly text: string;
  readonly at: number;
  /** Whether it was written without any quote or escape. */
  readonly bare: boolean;
  /** Set when the word is a file name pattern. */
  readonly pattern: readonly WordPiece[] | undefined;
}

/** Where a command's standard input comes from when it is neither a pipe nor empty. */
export type ShellInput =
  | { readonly kind: 'file'; readonly path: ShellWord }
  | { readonly kind: 'text'; readonly text: string };

/** The output redirects there are; they take effect in their order. */
export type OutputRedirect = '>/dev/null' | '2>/dev/null' | '&>/dev/null' | '2>&1' | '>&2';

export interface ShellCommand {
  /** The command's name and its arguments; never empty. */
  readonly argv: readonly ShellWord[];
  readonly input: ShellInput | undefined;
  readonly redirects: readonly OutputRedirect[];
  readonly at: number;
}

/** Commands joined by `|`, and what the outcome before them must have been. */
export interface ShellStep {
  readonly when: 'always' | 'success' | 'failure';
  readonly pipeline: readonly ShellCommand[];
}

export type ShellList = readonly ShellStep[];
