/**
 * The TypeScript compiler's word on every project of a workspace.
 *
 * `tsc -p` answers where it says all it knows. It does not where a project reads the built outputs of others (TS6305), and
 * where one class of errors hides the next: syntax and options hide types, all of them hide declarations. There the
 * compiler's API answers, in a process of its own, which follows references to their sources.
 *
 * Invariant: nothing is written into the workspace, and no answer is carried over between two states of it, except for
 * programs that hold none of the changed files and whose list of files is the same, and for what was said of options that no
 * changed file can alter.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Problem } from '../truth/problem.ts';
import { isSyntactic, parseTsc } from '../truth/tsc-output.ts';
import { nativeCompiler } from './native-compiler.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';
import { type AskedProject, askCompiler, askMembers, askOptions } from './typescript-program.ts';
import { type TypeScriptProject, typescriptProjects } from './typescript-projects.ts';

interface ProjectAnswer {
  readonly problems: readonly Problem[];
  readonly by: 'tsc' | 'api';
  /** The files of its program. */
  readonly members: readonly string[];
  /** Whether the API alone has said the same of the sources, so that it need not be asked both ways again. */
  readonly isToldByApi: boolean;
}

interface Question {
  readonly projects: readonly TypeScriptProject[];
  readonly members: ReadonlyMap<string, readonly string[]>;
  readonly flags: readonly string[];
  /** Whether options are what they were when the workspace was measured whole. */
  readonly sameOptions: boolean;
}

type Answers = ReadonlyMap<string, ProjectAnswer>;

export class TypeScriptCompiler implements WorkspaceCompiler {
  readonly #root: string;
  /** What the workspace said when it was measured whole. */
  #whole: Answers = new Map();

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(directory: string): Promise<TypeScriptCompiler> {
    return new TypeScriptCompiler(await realpath(directory));
  }

  /** The files that some project checks, as of the last whole measurement. */
  get members(): ReadonlySet<string> {
    return new Set([...this.#whole.values()].flatMap(({ members }) => members));
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const projects = typescriptProjects(this.#root);
    const members = await this.#members(projects);
    this.#whole = await this.#answers({ projects, members, flags: [], sameOptions: false }, signal);
    return reportOf(this.#whole);
  }

  async measureAfter(changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    const projects = typescriptProjects(this.#root);
    const members = await this.#members(projects);
    const isKept = ({ config }: TypeScriptProject) => this.#isUnreached(config, changed, members.get(config));
    const again = projects.filter((project) => !isKept(project));
    const sameOptions = !changed.some((path) => path.endsWith('.json'));
    const asked = { projects: again, members, flags: [], sameOptions };
    const answers = new Map(await this.#answers(asked, signal));
    for (const { config } of projects.filter(isKept)) {
      const known = this.#whole.get(config);
      if (known) answers.set(config, known);
    }
    return reportOf(answers);
  }

  /**
   * The compiler's order of checking, and with it some of its answers, depends on how many checkers share the files. Of the options
   * it says more where it writes files than with `--noEmit` (TS5011, a root directory that must be named).
   */
  async measureAgain(signal: AbortSignal): Promise<CompilerReport> {
    const projects = typescriptProjects(this.#root);
    const flags = ['--checkers', '1'];
    const members = await this.#members(projects);
    const report = reportOf(await this.#answers({ projects, members, flags, sameOptions: false }, signal));
    const asked = await askOptions(
      this.#root,
      projects.map(({ config }) => config),
    );
    return { ...report, problems: distinct([...report.problems, ...[...asked.values()].flat()]) };
  }

  #isUnreached(config: string, changed: readonly string[], members: readonly string[] | undefined): boolean {
    const known = this.#whole.get(config);
    if (!known || !members || changed.some((path) => path.endsWith('.json'))) return false;
    const held = new Set(known.members);
    return (
      changed.every((path) => !held.has(path)) &&
      members.length === held.size &&
      members.every((path) => held.has(path))
    );
  }

  async #members(projects: readonly TypeScriptProject[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const configs = projects.map(({ config }) => config);
    return askMembers(this.#root, configs);
  }

  async #answers({ projects, members, flags, sameOptions }: Question, signal: AbortSignal): Promise<Answers> {
    const isKnown = ({ config }: TypeScriptProject): boolean =>
      sameOptions && this.#whole.get(config)?.isToldByApi === true;
    const said = new Map<string, readonly Problem[]>();
    for (const project of projects.filter(({ references }) => references.length === 0))
      if (!isKnown(project)) said.set(project.config, await this.#tsc(project, flags, signal));
    const isHalf = (project: TypeScriptProject): boolean =>
      isKnown(project) || mayHide(said.get(project.config), project);
    const half = projects.filter(isHalf).map(({ config }) => config);
    const asked = half.length === 0 ? undefined : await askCompiler(this.#root, half);
    const answers = new Map<string, ProjectAnswer>();
    for (const project of projects) {
      const { config } = project;
      const [own, api] = [said.get(config), asked?.get(config)];
      const told = api && [...api.files, ...api.options.filter((problem) => !isOfOptions(problem))];
      const problems = isKnown(project)
        ? distinct([...(this.#whole.get(config)?.problems.filter(isOfOptions) ?? []), ...(told ?? [])])
        : this.#together(config, own, api);
      const isToldByApi = own !== undefined && told !== undefined && isSame(problems, told);
      const by = isHalf(project) ? 'api' : 'tsc';
      answers.set(config, { problems, by, members: members.get(config) ?? [], isToldByApi });
    }
    return answers;
  }

  /**
   * The API checks the options as if something were written: they are taken from it only where nothing else is known.
   * Where broken syntax keeps tsc from looking at them, they are what they were.
   */
  #together(
    config: string,
    said: readonly Problem[] | undefined,
    asked: AskedProject | undefined,
  ): readonly Problem[] {
    if (said === undefined) return distinct([...(asked?.options ?? []), ...(asked?.files ?? [])]);
    const known = said.some(isSyntactic) ? (this.#whole.get(config)?.problems.filter(isOfOptions) ?? []) : [];
    return distinct([...said, ...known, ...(asked?.files ?? [])]);
  }

  async #tsc(
    { config, isComposite, isIncremental }: TypeScriptProject,
    flags: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Problem[]> {
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-tsc-'));
    try {
      // A composite project may not turn `incremental` off; with an empty build info nothing is carried over either.
      const state = isComposite ? ['--tsBuildInfoFile', join(scratch, 'fresh.tsbuildinfo')] : [];
      const plain = isIncremental && !isComposite ? ['--incremental', 'false'] : [];
      const command = [nativeCompiler(), '--noEmit', '--pretty', 'false', '-p', config];
      const run = { command: [...command, ...errorsOnly, ...state, ...plain, ...flags], cwd: this.#root };
      const { stdout } = await runCompiler(run, signal);
      return parseTsc(stdout, this.#root).map((problem) =>
        problem.path === '' ? { ...problem, path: config } : problem,
      );
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

/** A configuration may have the compiler print more than errors. */
const errorsOnly = [
  'traceResolution',
  'listFiles',
  'explainFiles',
  'diagnostics',
  'extendedDiagnostics',
].flatMap((option) => [`--${option}`, 'false']);

/** Whether what was said may keep the compiler from saying more; it certainly does where nothing could be asked. */
function mayHide(
  problems: readonly Problem[] | undefined,
  { makesDeclarations }: TypeScriptProject,
): boolean {
  if (problems === undefined) return true;
  return (
    problems.some((problem) => isSyntactic(problem) || isOfOptions(problem)) ||
    (makesDeclarations && problems.length > 0)
  );
}

/** Whether the sources have the same problems in both. */
function isSame(first: readonly Problem[], second: readonly Problem[]): boolean {
  const places = (problems: readonly Problem[]): readonly string[] =>
    distinct(problems.filter((problem) => !isOfOptions(problem)))
      .map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`)
      .sort();
  return places(first).join('\n') === places(second).join('\n');
}

function isOfOptions({ path }: Problem): boolean {
  return /^tsconfig.*\.json$/.test(basename(path));
}

function reportOf(answers: Answers): CompilerReport {
  return {
    problems: distinct([...answers.values()].flatMap(({ problems }) => problems)),
    answeredBy: [...answers].map(([config, { by }]) => `${config}: ${by}`),
  };
}
