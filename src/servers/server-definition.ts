/**
 * What is known of a language server before it is started: how to start it, and what its answers prove.
 *
 * Invariant: a definition is plain data. Nothing elsewhere asks for a server by its name to treat it
 * differently; whatever sets one server apart is a field here.
 */
import type { LanguageId } from './language.ts';

export interface ServerDefinition {
  /** Unique in the catalogue, e.g. `typescript-7`. */
  readonly name: string;
  readonly languages: readonly LanguageId[];
  /** Argument vector; its first element is a path, or a name to be found on the search path. */
  readonly command: readonly string[];
  /** Other names its binary goes by, tried in order after the first. */
  readonly binaryNames?: readonly string[];
  /** Arguments it must answer with exit code 0 to count as installed, where a mere launcher may bear its name. */
  readonly probe?: readonly string[];
  /** Set for a server that comes along with this package; its command is found, not looked up. */
  readonly embedded?: EmbeddedServer;
  readonly env?: Readonly<Record<string, string>>;
  /** What of the workspace it runs. Whatever runs code that a change may hold is confined. */
  readonly executes: Executes;
  /** Laid over `env` where it runs confined. */
  readonly confinedEnv?: Readonly<Record<string, string>>;
  /** Variables that name a directory of our cache, kept per workspace; the value is the directory's name. */
  readonly cacheDirectories?: Readonly<Record<string, string>>;
  /** The program that chooses the toolchain by a file of the workspace. */
  readonly toolchainChooser?: 'rustup';
  /** Loads modules of the workspace into its own process, wherever its binary lies; not used while that is not trusted. */
  readonly loadsWorkspaceModules?: boolean;
  /** The file this definition was read from; absent for the catalogue and for the command line. */
  readonly declaredIn?: string;
  /** The command or place that installs it, handed to whoever misses it. */
  readonly installHint: string;
  /** Files that mark the directory it should be rooted at, best first. */
  readonly rootMarkers: readonly string[];
  readonly initializationOptions?: unknown;
  /** Answers `workspace/configuration`, looked up by dotted section. */
  readonly settings?: unknown;
  readonly settle: Settle;
  readonly believesUnsaved: BelievesUnsaved;
  /** The compiler that knows more than the server and reads saved files; without it a clean answer is worth `low`. */
  readonly fullCheck?: FullCheck;
  /** What finds the errors that it reports, where that is not the server itself. */
  readonly checker?: Checker;
  readonly reach: Reach;
  /** Whose configuration says which files are checked; absent: each file of its languages is, or nothing is known of it. */
  readonly project?: 'pyright';
  /** How it is made to load a part of a large workspace; absent: it is not, or loads what it needs by itself. */
  readonly scoping?: Scoping;
  /** How it is asked about one project among several; absent: it answers for a file, whatever projects that is in. */
  readonly projects?: 'typescript-api';
  /** Files are compiled with flags that are known from elsewhere, or are guessed. */
  readonly compilation?: 'database';
  /** Files can be left out of a build by their names and by constraints in them; no build judges those. */
  readonly buildConstraints?: 'go';
  /**
   * Sources of diagnostics after which it looks no further in the directory: what is missing then is not resolved. After any
   * error such a server looks for no warnings in what depends on it.
   */
  readonly stopsAt?: readonly string[];
  readonly quirks: ServerQuirks;
  /** Higher is asked first when several servers know a language. */
  readonly preference: number;
  /** Files it serves; absent means those of its languages. Extensions carry no dot and are lower case. */
  readonly extensions?: readonly string[];
  /** Where it is started, when not at the workspace's root. */
  readonly cwd?: string;
  /** Ends a request that takes longer, in place of the limit of its method. */
  readonly timeoutMs?: number;
}

/**
 * What of a workspace a server runs while it works.
 *
 * - `nothing`: it reads files only.
 * - `interpreter`: it runs an interpreter that loads what is installed in the workspace; a change that is shown as files
 *   can replace that.
 * - `workspace-code`: it compiles, imports or configures itself by running code of the workspace: build scripts,
 *   macros, build tools, plugins.
 */
export type Executes = 'nothing' | 'interpreter' | 'workspace-code';

export type EmbeddedServer = 'typescript' | 'pyright';

/**
 * How an answer is tied to the text that was sent.
 *
 * - `pull`: the response to a request sent after the change.
 * - `versioned-push`: a publication that carries the version sent, or a later one.
 * - `request`: tsserver's synchronous commands, through `workspace/executeCommand`.
 * - `offered`: what the server turns out to offer: the pull it announces; else no proof is to be had, a silence of
 *   `quietMs` after a publication stands in, and the answer says so.
 */
export type Settle =
  | { readonly mode: 'pull' }
  | { readonly mode: 'versioned-push' }
  | { readonly mode: 'request'; readonly command: string; readonly tsserverCommands: readonly string[] }
  | { readonly mode: 'offered'; readonly quietMs: number };

/** Whether diagnostics are asked for, if the server lets itself be asked. */
export function mayPull({ settle }: ServerDefinition): boolean {
  return settle.mode === 'pull' || settle.mode === 'offered';
}

/** What the server makes of files that exist in buffers only. */
export interface BelievesUnsaved {
  /** Where a file that was opened but never saved is seen by the files that import it. */
  readonly created: 'anywhere' | 'in-existing-directories' | 'nowhere';
  /** Whether a deletion event hides a file that is still on disk. */
  readonly deleted: 'by-event' | 'never';
  /**
   * Who sees the changed text of an open file: every file that depends on it (`all`), or nobody but the file
   * itself, since what it is included by reads the disk (`translation-units`).
   */
  readonly dependents: 'all' | 'translation-units';
}

/**
 * - `program`: another program, without which the server answers every text with nothing.
 * - `none`: it reports no errors, or not those in a part of its files; `blindTo` names what it does not look at.
 */
export type Checker =
  | { readonly kind: 'program'; readonly name: string; readonly installHint: string }
  | { readonly kind: 'none'; readonly blindTo: string };

/**
 * A command that judges a whole workspace, how its output is read, and when it speaks in place of the server: for every
 * change in workspace scope, or only where files must be mounted, since the server is exact on the text of the others.
 */
export type FullCheck = CargoCheck | GoCheck;

export interface GoCheck {
  readonly command: readonly string[];
  readonly output: 'go-list';
  readonly speaks: 'where-mounted';
}

export interface CargoCheck {
  readonly command: readonly string[];
  readonly output: 'cargo-json';
  readonly speaks: 'in-workspace-scope';
  /** The directory at the root that it builds in, and the variables that name it. A change never shows files there. */
  readonly buildDirectory: { readonly name: string; readonly variables: readonly string[] };
}

/**
 * - `open-configuration`: believes the text of an open configuration file, as of any other.
 * - `include-setting`: takes the places to look into from its settings, where no file of the project names them.
 */
export type Scoping = 'open-configuration' | 'include-setting';

/** The rule by which dependents of a file are found. */
type Reach = 'ecmascript' | 'python' | 'go' | 'c' | 'crate' | 'all';

interface ServerQuirks {
  /** Members added to every `textDocument/didChange`. */
  readonly didChangeExtras?: Readonly<Record<string, unknown>>;
  /** Members added to a `textDocument/didChange` that asks for a new look at an unchanged text. */
  readonly touchExtras?: Readonly<Record<string, unknown>>;
  /** Says nothing after a change that leaves the text as it was, so a document is opened anew to be asked about again. */
  readonly passesOverSameText?: boolean;
  /** Client capabilities offered under `experimental`. */
  readonly experimental?: Readonly<Record<string, unknown>>;
  /** When its answers count as complete: at once, after its progress has ended, or when it says so itself. */
  readonly readiness: 'immediate' | 'progress' | 'quiescent';
  /** Reports its look at open files without a title, not always to its end; what it is asked does not wait for that. */
  readonly untitledWork?: 'passes';
  /** Shows a changed file to its dependents only after a change, so it is opened with what the disk holds first. */
  readonly opensWithDiskTextFirst?: boolean;
  /** Answers a pull with nothing for a file that is not open, so every file is opened before it is asked about. */
  readonly answersOpenFilesOnly?: boolean;
  /** Finds uses in every file of the workspace, open or not, so none has to be opened before it is asked for them. */
  readonly findsUsesEverywhere?: boolean;
  /** Leaves imports and re-exports out of the references too where the declaration is not asked for. */
  readonly takesImportsForDeclarations?: boolean;
  /** Takes in what it is told of changed files before it answers the next question; others do so in their own time. */
  readonly takesChangesInOrder?: boolean;
  /**
   * Answers a changed document first from what it compiled of the includes and definitions before, under the new version:
   * where these changed, the document is closed and opened, so that there is nothing to answer from.
   */
  readonly keepsPreambles?: boolean;
  /** The code of the diagnostic by which it says that it stopped, and that more errors may follow. */
  readonly cutCode?: string;
  /** Parts of messages by which it says that it does not know what a file imports; such an answer proves nothing. */
  readonly lostSigns?: readonly string[];
  /** Corrupts a document that is replaced whole: changes are sent as ranges. */
  readonly sendsRanges?: boolean;
  /** Reads its settings only from this notification, sent once after `initialized`. */
  readonly sendsConfigurationAfterStart?: boolean;
}
