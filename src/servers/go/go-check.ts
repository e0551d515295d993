/**
 * Runs the Go compiler on an overlay mounted as real files, once for each affected module.
 *
 * Invariant: a file has an answer only if a package was compiled from it. A file that no build of this platform
 * includes is reported as unowned, and one the compiler did not reach as unproved.
 */
import { dirname, join } from 'node:path';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import { CommandNotFound } from '../../process/process-failure.ts';
import { type CommandResult, runCommand } from '../../process/run-command.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Projection } from '../projection.ts';
import type { FileDiagnostics, Proof } from '../proof.ts';
import type { ShownSite } from '../server-site.ts';
import { answerBesideBuilds, isBesideBuilds, isIgnored } from './beside-builds.ts';
import {
  diagnosticOf,
  firstLine,
  type GoFileState,
  type GoListing,
  type GoProblem,
  positionsIn,
  readGoList,
} from './go-list.ts';
import { GoModules, insideModule } from './go-module.ts';
import { importIn, type LostPackage } from './lost-import.ts';

const maxOutputBytes = 64 * 2 ** 20;

/** The exit code of a shell if the program does not exist. */
const notFoundCode = 127;

/**
 * Missing modules are not fetched, and no version control program is run: a repository can name programs for that to
 * run.
 */
const variables = { GOPROXY: 'off' };

export interface GoCheckRequest {
  readonly command: readonly string[];
  readonly paths: readonly WorkspacePath[];
  readonly timeoutMs: number;
}

/** The compiler's diagnostics for `paths`; undefined if it is not installed. */
export async function runGoCheck(
  site: ShownSite,
  projection: Projection,
  { command, paths, timeoutMs }: GoCheckRequest,
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[] | undefined> {
  const deadline = performance.now() + timeoutMs;
  const answers = new Answers(projection);
  try {
    for (const [module, files] of await byModule(projection, paths)) {
      const cwd = join(site.mount.root, module);
      const packages = packagesToCheck(module, files, answers);
      if (packages.length === 0) continue;
      const launch = await site.launch({ command: [...command, ...packages], cwd, env: variables });
      const left = Math.max(1, deadline - performance.now());
      const run = await runCommand({ ...launch, timeoutMs: left, maxOutputBytes }, signal);
      if (run.code === notFoundCode && run.stdout === '') return undefined;
      answers.take(run, { root: site.mount.root, cwd, module, files });
    }
    await answers.lookForMain();
    await answers.lookForImports();
    return await Promise.all(paths.map((path) => answers.of(path)));
  } catch (thrown) {
    if (thrown instanceof CommandNotFound) return undefined;
    throw thrown;
  }
}

/** The packages of a module that contain the files; all of them if only `go.mod` is among the files. */
function packagesToCheck(
  module: string,
  files: readonly WorkspacePath[],
  answers: Answers,
): readonly string[] {
  const patterns = new Set<string>();
  for (const path of files.filter(isSource)) {
    const inside = insideModule(path, module);
    if (isBesideBuilds(inside)) answers.putBeside(path);
    if (isIgnored(inside)) answers.leaveOut(path);
    else patterns.add(patternOf(path, module));
  }
  if (patterns.size === 0) return files.some(isModuleFile) ? ['./...'] : [];
  return [...patterns].sort();
}

interface ModuleRun {
  readonly root: string;
  readonly cwd: string;
  readonly module: string;
  readonly files: readonly WorkspacePath[];
}

class Answers {
  readonly #projection: Projection;
  readonly #problems = new Map<string, GoProblem[]>();
  readonly #states = new Map<string, GoFileState>();
  readonly #programs: GoListing['programs'][number][] = [];
  readonly #lost: LostPackage[] = [];
  readonly #late = new Set<WorkspacePath>();
  /** Files of packages that are compiled only because they are named. */
  readonly #beside = new Set<WorkspacePath>();

  constructor(projection: Projection) {
    this.#projection = projection;
  }

  take(run: CommandResult, { root, cwd, module, files }: ModuleRun): void {
    if (run.timedOut) {
      for (const file of files) this.#late.add(file);
      return;
    }
    if (run.code !== 0) {
      this.#fail(run.stderr, { root, cwd, module, files });
      return;
    }
    const { problems, states, programs, lost } = readGoList(run.stdout, { root, cwd });
    for (const problem of problems) this.#add(problem);
    for (const [path, state] of states) this.#states.set(path, state);
    for (const program of programs) this.#programs.push(program);
    this.#lost.push(...lost);
  }

  putBeside(path: WorkspacePath): void {
    this.#beside.add(path);
  }

  leaveOut(path: WorkspacePath): void {
    this.#states.set(path, leftOut);
  }

  /** The command could not start: with an invalid module file no build can. */
  #fail(stderr: string, { root, cwd, module, files }: ModuleRun): void {
    const why = firstLine(stderr) || 'go list failed';
    for (const file of files) {
      if (this.#states.get(file) !== leftOut) this.#states.set(file, { kind: 'unchecked', why });
    }
    if (isOfMachine(stderr)) return;
    const placed = positionsIn(stderr, { root, cwd }).map((problem) => ({
      ...problem,
      source: 'go list' as const,
    }));
    // Reported at the changed file, where the reader expects it.
    const path = files.find(isModuleFile) ?? (module === '.' ? 'go.mod' : `${module}/go.mod`);
    const whole: GoProblem = { path, line: 1, column: 1, message: stderr.trim(), source: 'go list' };
    for (const problem of placed.length > 0 ? placed : [whole]) this.#add(problem);
  }

  #add(problem: GoProblem): void {
    this.#problems.set(problem.path, [...(this.#problems.get(problem.path) ?? []), problem]);
  }

  /** A program without `main` compiles, and fails when it is linked. */
  async lookForMain(): Promise<void> {
    for (const files of this.#programs) {
      const texts = await Promise.all(files.map((file) => this.#text(file)));
      if (texts.some((text) => /^func\s+main\s*\(/m.test(text))) continue;
      const [path = ''] = files;
      this.#add({
        path,
        line: 1,
        column: 1,
        message: 'function main is undeclared in the main package',
        source: 'compiler',
      });
    }
  }

  /** A package that is not found is reported once, at an importer that may lie in a library. */
  async lookForImports(): Promise<void> {
    const asked = new Set<string>();
    for (const { specifier, message, files } of this.#lost) {
      for (const path of files) {
        const question = `${path}: ${specifier}`;
        const at = asked.has(question) ? undefined : importIn(await this.#text(path), specifier);
        asked.add(question);
        if (at === undefined) continue;
        this.#add({ path, ...at, message, source: 'go list' });
        this.#states.set(path, { kind: 'checked' });
      }
    }
  }

  async of(path: WorkspacePath): Promise<FileDiagnostics> {
    const answer = await this.#of(path);
    return this.#beside.has(path) ? answerBesideBuilds(answer) : answer;
  }

  async #of(path: WorkspacePath): Promise<FileDiagnostics> {
    const diagnostics = await this.#diagnostics(path);
    if (!isSource(path)) return { path, diagnostics, proof: checked };
    if (this.#late.has(path)) return { path, diagnostics: [], proof: late };
    const state = this.#states.get(path) ?? unlisted;
    switch (state.kind) {
      case 'checked':
        return { path, diagnostics, proof: checked };
      case 'left-out':
        return { path, diagnostics: [], proof: checked, isUnowned: true, unownedBecause };
      case 'unchecked':
        return { path, diagnostics: [], proof: { kind: 'none', reason: 'failed', why: state.why } };
    }
  }

  async #diagnostics(path: WorkspacePath): Promise<readonly Diagnostic[]> {
    const problems = this.#problems.get(path) ?? [];
    if (problems.length === 0) return [];
    const lines = (await this.#text(path)).split(/\r?\n/);
    return problems.map((problem) => diagnosticOf(problem, lines[problem.line - 1] ?? ''));
  }

  async #text(file: string): Promise<string> {
    const path = parseWorkspacePath(file);
    return (path && (await this.#projection.text(path))) ?? '';
  }
}

/** The files by the directory of their module. */
async function byModule(
  projection: Projection,
  paths: readonly WorkspacePath[],
): Promise<ReadonlyMap<string, readonly WorkspacePath[]>> {
  const modules = new GoModules((path) => projection.text(path));
  const found = new Map<string, WorkspacePath[]>();
  for (const path of paths) {
    const module = await modules.of(path);
    found.set(module, [...(found.get(module) ?? []), path]);
  }
  return found;
}

/** The package of a file as the command names it; a vendored package by its import path. */
function patternOf(path: WorkspacePath, module: string): string {
  const directory = dirname(insideModule(path, module));
  return directory.startsWith('vendor/') ? directory.slice('vendor/'.length) : `./${directory}`;
}

function isSource(path: string): boolean {
  return path.endsWith('.go');
}

function isModuleFile(path: string): boolean {
  return !isSource(path);
}

/** Whether the error is caused by this machine rather than by the change. */
function isOfMachine(stderr: string): boolean {
  return /GOPROXY=off|GOTOOLCHAIN|missing go\.sum entry|cannot find GOROOT|permission denied|dial tcp/.test(
    stderr,
  );
}

const checked: Proof = { kind: 'checked' };
const late: Proof = { kind: 'none', reason: 'timeout' };
const unownedBecause = 'its name, its directory or a build constraint leaves it out';
const leftOut: GoFileState = { kind: 'left-out' };
const unlisted: GoFileState = { kind: 'unchecked', why: 'go list names no package that holds it' };
