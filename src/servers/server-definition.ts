/**
 * What is known of a language server before it is started: how to start it, and what its answers prove.
 *
 * Invariant: a definition is plain data. No other code checks the name of a server; every difference between servers
 * is a field here.
 */
import type { LanguageId } from './language.ts';

export interface ServerDefinition {
  /** Unique in the catalogue, e.g. `typescript-7`. */
  readonly name: string;
  readonly languages: readonly LanguageId[];
  /** Argument vector; its first element is a path, or a name to be found on the search path. */
  readonly command: readonly string[];
  /** Alternative names of its binary, tried in order. */
  readonly binaryNames?: readonly string[];
  /**
   * Arguments it must answer with exit code 0 to count as installed, for servers whose name may belong to a mere
   * launcher.
   */
  readonly probe?: readonly string[];
  /** Set for a server shipped with this package; its command is not searched on the PATH. */
  readonly embedded?: EmbeddedServer;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that it is given unless the user has set them. */
  readonly defaultEnv?: Readonly<Record<string, string>>;
  /** What of the workspace it executes. A server that executes code a change may contain is confined. */
  readonly executes: Executes;
  /** Merged into `env` if it runs confined. */
  readonly confinedEnv?: Readonly<Record<string, string>>;
  /** Variables that name a directory of our cache, one per workspace; the value is the directory's name. */
  readonly cacheDirectories?: Readonly<Record<string, string>>;
  /** Settings added to those that the user has for it. */
  readonly addedSettings?: AddedSettings;
  /** The program that selects the toolchain by a file of the workspace. */
  readonly toolchainChooser?: 'rustup';
  /**
   * Loads modules of the workspace into its own process, wherever its binary lies; not used in an untrusted
   * workspace.
   */
  readonly loadsWorkspaceModules?: boolean;
  /** The file this definition was read from; absent for the catalogue and for the command line. */
  readonly declaredIn?: string;
  /** The command or address that installs it, shown to the user. */
  readonly installHint: string;
  /** Files that mark its root directory, best first. */
  readonly rootMarkers: readonly string[];
  readonly initializationOptions?: unknown;
  /** Answers `workspace/configuration`, looked up by dotted section. */
  readonly settings?: unknown;
  /**
   * Replace the settings before the first completion or code action, for what only these need and what costs work
   * after every edit.
   */
  readonly suggestionSettings?: unknown;
  readonly settle: Settle;
  readonly believesUnsaved: BelievesUnsaved;
  /** The compiler that reports more than the server and reads saved files; without it a clean answer is worth `low`. */
  readonly fullCheck?: FullCheck;
  /** The program that finds the errors it reports, if that is not the server itself. */
  readonly checker?: Checker;
  readonly reach: Reach;
  /** Whose configuration decides which files are checked; absent: every file of its languages, or unknown. */
  readonly project?: 'pyright';
  /** How it is made to load only part of a large workspace; absent: it is not, or it loads what it needs by itself. */
  readonly scoping?: Scoping;
  /** How one of several projects is queried; absent: it answers per file, whatever projects contain the file. */
  readonly projects?: 'typescript-api';
  /** Files are compiled with flags from a compilation database, or with guessed ones. */
  readonly compilation?: 'database';
  /** Files can be excluded from a build by their names and by constraints in them; no build checks those. */
  readonly buildConstraints?: 'go';
  /**
   * Sources of diagnostics after which it stops in that directory, so that missing errors are not resolved ones.
   * After any error such a server reports no warnings in dependents.
   */
  readonly stopsAt?: readonly string[];
  /**
   * Codes of errors about the files of a project that it reports at any one of several places, another one after every
   * check.
   */
  readonly misplaced?: readonly (string | number)[];
  readonly quirks: ServerQuirks;
  /** The server with the highest value is asked first for a language. */
  readonly preference: number;
  /** Extensions it serves, without a dot and in lower case; absent: those of its languages. */
  readonly extensions?: readonly string[];
  /** Its working directory, if not the workspace's root. */
  readonly cwd?: string;
  /** Time limit of a request, in place of the limit of its method. */
  readonly timeoutMs?: number;
}

/** Settings in YAML documents that the server reads from `file` in the directory that a variable names. */
export interface AddedSettings {
  readonly variable: 'XDG_CONFIG_HOME';
  readonly file: string;
  readonly text: string;
}

/**
 * What of a workspace a server executes.
 *
 * - `nothing`: it only reads files.
 * - `interpreter`: it runs an interpreter that loads packages installed in the workspace; a change shown as files can
 *   replace those.
 * - `workspace-code`: it compiles, imports or configures itself by running code of the workspace: build scripts,
 *   macros, build tools, plugins.
 */
export type Executes = 'nothing' | 'interpreter' | 'workspace-code';

export type EmbeddedServer = 'typescript' | 'pyright';

/**
 * How an answer is tied to the text that was sent.
 *
 * - `pull`: the response to a request sent after the change.
 * - `versioned-push`: a publication with the version sent, or a later one.
 * - `request`: tsserver's synchronous commands, through `workspace/executeCommand`.
 * - `offered`: pull if the server announces it; otherwise there is no proof, a silence of `quietMs` after a
 *   publication is used instead, and the answer says so.
 */
export type Settle =
  | { readonly mode: 'pull' }
  | { readonly mode: 'versioned-push' }
  | { readonly mode: 'request'; readonly command: string; readonly tsserverCommands: readonly string[] }
  | { readonly mode: 'offered'; readonly quietMs: number };

/** Whether diagnostics are pulled, if the server supports it. */
export function mayPull({ settle }: ServerDefinition): boolean {
  return settle.mode === 'pull' || settle.mode === 'offered';
}

/** How the server treats files that exist in buffers only. */
export interface BelievesUnsaved {
  /** Where a file that was opened but never saved is visible to the files that import it. */
  readonly created: 'anywhere' | 'in-existing-directories' | 'nowhere';
  /** Whether a deletion event hides a file that is still on disk. */
  readonly deleted: 'by-event' | 'never';
  /**
   * Which files see the changed text of an open file: every dependent (`all`), or only the file itself, because files
   * that include it read the disk (`translation-units`).
   */
  readonly dependents: 'all' | 'translation-units';
}

/**
 * - `program`: another program; without it the server reports nothing for any text.
 * - `none`: it reports no errors, or none in some of its files; `blindTo` names those.
 */
export type Checker =
  | { readonly kind: 'program'; readonly name: string; readonly installHint: string }
  | { readonly kind: 'none'; readonly blindTo: string };

/**
 * A command that checks a whole workspace, how its output is parsed, and when it replaces the server: for every
 * change in workspace scope, or only if files must be mounted, because the server is exact for texts in buffers.
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
  /** Its build directory at the root, and the variables that name it. A change never shows files there. */
  readonly buildDirectory: { readonly name: string; readonly variables: readonly string[] };
}

/**
 * - `open-configuration`: uses the text of an open configuration file in place of the file.
 * - `include-setting`: takes the directories to load from its settings, if no file of the project names them.
 */
export type Scoping = 'open-configuration' | 'include-setting';

/** The rule by which dependents of a file are found. */
type Reach = 'ecmascript' | 'python' | 'go' | 'c' | 'crate' | 'all';

interface ServerQuirks {
  /** Members added to every `textDocument/didChange`. */
  readonly didChangeExtras?: Readonly<Record<string, unknown>>;
  /** Members added to a `textDocument/didChange` that requests diagnostics for an unchanged text. */
  readonly touchExtras?: Readonly<Record<string, unknown>>;
  /** Ignores a change that leaves the text the same, so a document is reopened to get new diagnostics. */
  readonly passesOverSameText?: boolean;
  /** Client capabilities offered under `experimental`. */
  readonly experimental?: Readonly<Record<string, unknown>>;
  /** When its answers count as complete: at once, after its progress has ended, or when it reports `quiescent`. */
  readonly readiness: 'immediate' | 'progress' | 'quiescent';
  /**
   * Reports progress without a title for its pass over open files, and does not always end it; requests do not wait
   * for it.
   */
  readonly untitledWork?: 'passes';
  /**
   * Updates dependents of a changed file only after a change, so the file is first opened with the text of the disk.
   */
  readonly opensWithDiskTextFirst?: boolean;
  /** Answers a pull for a file that is not open with an empty list, so every file is opened first. */
  readonly answersOpenFilesOnly?: boolean;
  /** Finds references in every file of the workspace, open or not, so none has to be opened first. */
  readonly findsUsesEverywhere?: boolean;
  /** Omits imports and re-exports from references if the declaration is not requested. */
  readonly takesImportsForDeclarations?: boolean;
  /**
   * A sign of the texts whose imports have modes of their own. For a text that names the same modules as the one before, it
   * keeps how they were resolved, in whatever mode (`typescript/import-modes.ts`).
   */
  readonly keepsResolutionsOf?: RegExp;
  /** Processes file events before the next request; other servers process them asynchronously. */
  readonly takesChangesInOrder?: boolean;
  /**
   * After a change it first answers from the preamble (includes and definitions) it compiled before, under the new
   * version. If the preamble changed, the document is closed and reopened, so that there is no old one. It compiles a
   * preamble without the bodies of functions and templates.
   */
  readonly keepsPreambles?: boolean;
  /** The code of the diagnostic that reports that it stopped and that there may be more errors. */
  readonly cutCode?: string;
  /** Parts of messages that report that it could not resolve what a file imports; such an answer proves nothing. */
  readonly lostSigns?: readonly string[];
  /** Corrupts a document that is replaced as a whole, so changes are sent as ranges. */
  readonly sendsRanges?: boolean;
  /** Reads its settings only from this notification, sent once after `initialized`. */
  readonly sendsConfigurationAfterStart?: boolean;
}
