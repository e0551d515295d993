/**
 * What running a build or the tests means in one language: commands, and readers of what they print.
 *
 * Invariant: a toolchain starts nothing itself. It answers with argument vectors, which no shell reads, and nothing
 * a caller wrote can become an option of them.
 */
export interface Toolchain {
  /** Every language id it answers for. */
  readonly languages: readonly string[];
  /** `none` where a run is always about the whole workspace; absent: a path narrows it. */
  readonly narrowing?: 'none';
  /** Whether this toolchain, rather than another of the same language, is used here; absent: always. */
  detect?(root: string): Promise<boolean>;
  /** Absent where the language has nothing to build. */
  buildCommands?(task: Task): Promise<readonly Command[]>;
  /** Absent where there is no customary way to run tests. */
  testCommands?(task: TestTask): Promise<readonly Command[]>;
  parseBuild(output: Output): readonly BuildError[];
  parseTests?(output: Output): readonly TestFailure[];
  /** How many tests were executed, skipped ones apart; undefined (or absent) where the output does not tell. */
  countTests?(output: Output): number | undefined;
  /** What a person would read of the output; absent: all of it. */
  readable?(output: Output): string;
  readonly tests?: TestConvention;
}

export interface Task {
  /** Absolute; commands run here. */
  readonly root: string;
  readonly target: Target | undefined;
}

export interface TestTask extends Task {
  /** Only tests whose name matches, in the runner's own way of matching. */
  readonly filter: string | undefined;
  /** Only the tests in these files; empty: all. */
  readonly files: readonly string[];
  /** Where the runner may write a report for us. */
  readonly reportFile: string;
}

/** The part of the workspace a run is narrowed to. Paths are relative to the root, `/`-separated, and exist. */
export interface Target {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** A test inside the file, as pytest writes it after `::`. */
  readonly selector?: string;
}

/** One step of a run; the next is taken only when it ends well. */
export interface Command {
  /** The first whose program exists is run. */
  readonly alternatives: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a run printed, colours taken out, and what it wrote to the report file. */
export interface Output {
  readonly root: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string | undefined;
}

/** Numbers count from 1; a column of 0 is unknown. The file is named as the tool printed it. */
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
  /** The directory, relative to the root, that a bare file name is meant in. */
  readonly directory?: string;
}

/** How test files of a language are named and where they lie. */
export interface TestConvention {
  /** The name, without extension, of what a test file is for; undefined for a file that is no test. */
  subjectOf(name: string): string | undefined;
  /** Which test files of the source's own directory count. */
  readonly beside: 'all' | 'named';
  /** Directories of the root whose test files all count. */
  readonly directories?: readonly string[];
  /** Whether test files anywhere in the workspace that are named for the source count. */
  readonly elsewhere: 'named' | 'none';
  /** Whether a test file that imports the source counts wherever it lies. */
  readonly importers?: 'counted';
  /** Whether tests stand in the source itself. */
  readonly inline?: true;
}

/** A command with one way to run it. */
export function command(argv: readonly string[], env?: Readonly<Record<string, string>>): Command {
  return { alternatives: [argv], ...(env && { env }) };
}

/** A path as an argument that can never be read as an option. */
export function pathArgument(path: string): string {
  return path === '' ? '.' : `./${path}`;
}
