/**
 * Building and testing in one language: commands, and parsers of their output.
 *
 * Invariant: a toolchain starts nothing itself. It returns argument vectors, which no shell parses, and text from a
 * caller can never become an option in them.
 */
export interface Toolchain {
  /** The language ids it supports. */
  readonly languages: readonly string[];
  /** `none` if a run always covers the whole workspace; absent: a path restricts it. */
  readonly narrowing?: 'none';
  /** Whether this toolchain, instead of another one for the same language, is used here; absent: always. */
  detect?(root: string): Promise<boolean>;
  /** Absent if the language has no build. */
  buildCommands?(task: Task): Promise<readonly Command[]>;
  /** Absent if there is no usual way to run tests. */
  testCommands?(task: TestTask): Promise<readonly Command[]>;
  parseBuild(output: Output): readonly BuildError[];
  parseTests?(output: Output): readonly TestFailure[];
  /** The number of executed tests without skipped ones; undefined (or absent) if the output does not show it. */
  countTests?(output: Output): number | undefined;
  /** The human-readable part of the output; absent: all of it. */
  readable?(output: Output): string;
  readonly tests?: TestConvention;
}

export interface Task {
  /** Absolute; commands run here. */
  readonly root: string;
  readonly target: Target | undefined;
}

export interface TestTask extends Task {
  /** Only tests whose name matches, in the runner's own syntax. */
  readonly filter: string | undefined;
  /** Only the tests in these files; empty: all. */
  readonly files: readonly string[];
  /** The path for the runner's report. */
  readonly reportFile: string;
}

/**
 * The part of the workspace that a run is restricted to. Paths are relative to the root, `/`-separated, and exist.
 */
export interface Target {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** A test inside the file, as pytest writes it after `::`. */
  readonly selector?: string;
}

/** One step of a run; the next one runs only if it succeeds. */
export interface Command {
  /** The first one whose program exists is run. */
  readonly alternatives: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The output of a run without colours, and its report file. */
export interface Output {
  readonly root: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string | undefined;
}

/** Numbers start at 1; a column of 0 is unknown. The file is named as the tool printed it. */
export interface BuildError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A line of 0 is unknown. */
export interface TestFailure {
  readonly file: string;
  readonly line: number;
  readonly testName: string;
  readonly message: string;
  /** The directory, relative to the root, in which a bare file name is resolved. */
  readonly directory?: string;
}

/** The naming and location of test files in a language. */
export interface TestConvention {
  /** The name, without extension, of the source that a test file tests; undefined for a file that is not a test. */
  subjectOf(name: string): string | undefined;
  /** Which test files in the source's directory count. */
  readonly beside: 'all' | 'named';
  /** Directories of the root whose test files all count. */
  readonly directories?: readonly string[];
  /** Whether test files anywhere in the workspace that are named after the source count. */
  readonly elsewhere: 'named' | 'none';
  /** Whether a test file that imports the source counts wherever it lies. */
  readonly importers?: 'counted';
  /** Whether tests are in the source itself. */
  readonly inline?: true;
}

/** A command without alternatives. */
export function command(argv: readonly string[], env?: Readonly<Record<string, string>>): Command {
  return { alternatives: [argv], ...(env && { env }) };
}

/** A path as an argument that can never be read as an option. */
export function pathArgument(path: string): string {
  return path === '' ? '.' : `./${path}`;
}
