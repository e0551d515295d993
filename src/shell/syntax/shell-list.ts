/**
 * What the accepting grammar can say: commands of words, joined, grouped, repeated over finite lists.
 *
 * Invariant: nothing in these types can carry a write, a background job, a function, or a second meaning that a shell
 * would have to be asked about.
 */

/** A piece of a word: text that means itself, or a wildcard. */
export type WordPiece =
  | { readonly literal: string }
  | { readonly wildcard: '*' | '?' }
  /** A set of characters, as written: `[a-z]`. */
  | { readonly bracket: string };

/** A piece that the run fills in. Unquoted, what it stands for is split into words. */
export type Expansion = { readonly quoted: boolean } & (
  | { readonly parameter: Parameter }
  | { readonly substitution: Script }
);

/** A variable, and what is done to its value. */
export interface Parameter {
  readonly name: string;
  readonly change:
    | { readonly kind: 'none' | 'length' }
    | { readonly kind: 'default'; readonly text: string }
    | { readonly kind: 'cut'; readonly from: '#' | '##' | '%' | '%%'; readonly pattern: string };
}

export type WordPart = WordPiece | Expansion;

export interface ShellWord {
  /** The word after quotes and escapes are taken off; wildcards stand as they are written. */
  readonly text: string;
  readonly at: number;
  /** Whether it was written without any quote or escape. */
  readonly bare: boolean;
  /** Set when the word is a file name pattern. */
  readonly pattern: readonly WordPiece[] | undefined;
  /** How many characters at its start are written plainly, where the whole is not. */
  readonly head?: number;
  /** Set when only the run can tell the text: `name` when it comes from a list of files or revisions. */
  readonly opaque?: 'name' | 'text';
  /** Set when the word holds expansions; `text` and `pattern` then mean nothing yet. */
  readonly parts?: readonly WordPart[];
  /** Set when the word is spelled in a way that not every parser reads alike: braces, `$'…'`. */
  readonly respelled?: true;
}

/** Where a command's standard input comes from when it is neither a pipe nor empty. */
export type ShellInput =
  | { readonly kind: 'file'; readonly path: ShellWord }
  | { readonly kind: 'text'; readonly text: string }
  /** A here-string that holds expansions. */
  | { readonly kind: 'word'; readonly word: ShellWord };

/** The output redirects there are; they take effect in their order. */
export type OutputRedirect = '>/dev/null' | '2>/dev/null' | '&>/dev/null' | '2>&1' | '>&2';

export interface Assignment {
  readonly name: string;
  readonly value: ShellWord;
  readonly at: number;
}

/** What every command has, simple or not. */
interface Redirected {
  readonly input: ShellInput | undefined;
  readonly redirects: readonly OutputRedirect[];
  readonly at: number;
}

export interface ShellCommand extends Redirected {
  readonly kind: 'simple';
  /** The command's name and its arguments; empty when there are only assignments. */
  readonly argv: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  /** Set when its errors go into the pipe too, as by `|&`. */
  readonly errorsPiped?: true;
}

export interface GroupCommand extends Redirected {
  readonly kind: 'group';
  /** A subshell keeps its variables and its directory to itself. */
  readonly scope: 'own' | 'shared';
  readonly body: Script;
}

export interface ForCommand extends Redirected {
  readonly kind: 'for';
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly body: Script;
}

/** `while read -r a b; do …; done`: once for every line of the input. */
export interface ReadCommand extends Redirected {
  readonly kind: 'read';
  readonly names: readonly string[];
  /** Whether leading and trailing blanks are kept, as after `IFS=`. */
  readonly trims: boolean;
  readonly body: Script;
}

export interface IfBranch {
  readonly condition: Script;
  readonly body: Script;
}

export interface IfCommand extends Redirected {
  readonly kind: 'if';
  readonly branches: readonly IfBranch[];
  readonly otherwise: Script | undefined;
}

export type Stage = ShellCommand | GroupCommand | ForCommand | ReadCommand | IfCommand;

/** Commands joined by `|`, and what the outcome before them must have been. */
export interface ScriptStep {
  readonly when: 'always' | 'success' | 'failure';
  /** Whether the outcome counts as its opposite. */
  readonly negated: boolean;
  readonly pipeline: readonly Stage[];
}

export type Script = readonly ScriptStep[];

/** A script of simple commands with plain words, which every parser reads alike. */
export type ShellList = readonly ShellStep[];

export interface ShellStep extends ScriptStep {
  readonly pipeline: readonly ShellCommand[];
}
