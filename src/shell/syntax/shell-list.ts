/**
 * The syntax tree of accepted scripts: commands of words, joined, grouped, repeated over finite lists.
 *
 * Invariant: these types cannot express a write, a background job, a function, or anything whose meaning only a shell
 * could tell.
 */

/** A piece of a word: literal text, or a wildcard. */
export type WordPiece =
  | { readonly literal: string }
  | { readonly wildcard: '*' | '?' }
  /** A set of characters, as written: `[a-z]`. */
  | { readonly bracket: string };

/** A piece that the run fills in. Unquoted, its value is split into words. */
export type Expansion = { readonly quoted: boolean } & (
  | { readonly parameter: Parameter }
  | { readonly substitution: Script }
  | { readonly calculation: Calculation }
  /** `<(…)`: the name of a file that holds the output of the script. */
  | { readonly file: Script }
);

/** Arithmetic on whole numbers. A name stands for the number that its variable holds. */
export type Calculation =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'output'; readonly script: Script }
  | {
      readonly kind: 'operation';
      readonly operator: string;
      readonly operands: readonly Calculation[];
    };

/** A variable, and the operation on its value. */
export interface Parameter {
  readonly name: string;
  readonly change:
    | { readonly kind: 'none' | 'length' }
    | { readonly kind: 'default' | 'alternative'; readonly text: string }
    | { readonly kind: 'slice'; readonly from: number; readonly length: number | undefined }
    | { readonly kind: 'case'; readonly to: 'upper' | 'lower'; readonly count: 'first' | 'all' }
    | {
        readonly kind: 'replace';
        readonly where: 'first' | 'all' | 'start' | 'end';
        readonly pattern: string;
        readonly by: string;
      }
    | { readonly kind: 'cut'; readonly from: '#' | '##' | '%' | '%%'; readonly pattern: string };
}

export type WordPart = WordPiece | Expansion;

export interface ShellWord {
  /** The word without quotes and escapes; wildcards stay as written. */
  readonly text: string;
  readonly at: number;
  /** Whether it was written without any quote or escape. */
  readonly bare: boolean;
  /** Set if the word is a file name pattern. */
  readonly pattern: readonly WordPiece[] | undefined;
  /** The length of its literal prefix, if the rest is not literal. */
  readonly head?: number;
  /** Set if only the run knows the text: `name` if it comes from a list of files or revisions. */
  readonly opaque?: 'name' | 'text';
  /** Set if the word has expansions; `text` and `pattern` then have no meaning yet. */
  readonly parts?: readonly WordPart[];
  /** Set if the word names a file that the run provides: the output of `<(…)`. */
  readonly provided?: true;
  /** Set if not every parser reads the spelling alike: braces, `$'…'`. */
  readonly respelled?: true;
}

/** The source of a command's standard input if it is neither a pipe nor empty. */
export type ShellInput =
  | { readonly kind: 'file'; readonly path: ShellWord }
  | { readonly kind: 'text'; readonly text: string }
  /** A here-string with expansions. */
  | { readonly kind: 'word'; readonly word: ShellWord }
  /** `< <(…)`: the output of a script. */
  | { readonly kind: 'output'; readonly script: Script };

/** The output redirects; they take effect in their order. */
export type OutputRedirect = '>/dev/null' | '2>/dev/null' | '&>/dev/null' | '2>&1' | '>&2';

export interface Assignment {
  readonly name: string;
  readonly value: ShellWord;
  readonly at: number;
}

/** The common part of simple and compound commands. */
interface Redirected {
  readonly input: ShellInput | undefined;
  readonly redirects: readonly OutputRedirect[];
  readonly at: number;
}

export interface ShellCommand extends Redirected {
  readonly kind: 'simple';
  /** The command's name and its arguments; empty if there are only assignments. */
  readonly argv: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  /** Set if its errors go into the pipe too, as with `|&`. */
  readonly errorsPiped?: true;
}

export interface GroupCommand extends Redirected {
  readonly kind: 'group';
  /** A subshell has its own variables and directory. */
  readonly scope: 'own' | 'shared';
  readonly body: Script;
}

export interface ForCommand extends Redirected {
  readonly kind: 'for';
  readonly name: string;
  readonly words: readonly ShellWord[];
  /** The value of the variable behind a loop that counts. */
  readonly after?: string;
  readonly body: Script;
}

/** `while read -r a b; do …; done`: once for every line of the input. */
export interface ReadCommand extends Redirected, LineReading {
  readonly kind: 'read';
  readonly body: Script;
}

/** How `read` splits its input. */
export interface LineReading {
  readonly names: readonly string[];
  /** The characters between fields, as in `IFS=`. */
  readonly separators: string;
  /** Whether backslashes are text, as after `-r`. */
  readonly raw: boolean;
  /** The end of a line, as in `-d`. */
  readonly end: '\n' | '\0';
}

/** `[[ value == pattern ]]`. */
export interface MatchCommand extends Redirected {
  readonly kind: 'match';
  readonly value: ShellWord;
  readonly pattern: readonly WordPiece[];
  readonly negated: boolean;
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

export type Stage = ShellCommand | GroupCommand | ForCommand | ReadCommand | IfCommand | MatchCommand;

/** Commands joined by `|`, and the required outcome of the preceding step. */
export interface ScriptStep {
  readonly when: 'always' | 'success' | 'failure';
  /** Whether the outcome is negated. */
  readonly negated: boolean;
  /** Set after `time`: the form in which its duration is printed. */
  readonly timed?: 'bash' | 'posix';
  readonly pipeline: readonly Stage[];
}

export type Script = readonly ScriptStep[];

/** A script of simple commands with plain words, which every parser reads alike. */
export type ShellList = readonly ShellStep[];

export interface ShellStep extends ScriptStep {
  readonly pipeline: readonly ShellCommand[];
}
