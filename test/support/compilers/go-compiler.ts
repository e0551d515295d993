/**
 * The Go compiler's word on the packages of every module of a workspace and their tests, with all errors of a package.
 *
 * The compiler does not look at a package whose dependency failed, nor at the types of one that does not parse: what it
 * would find there is not known, and the files of such packages are reported as hidden.
 *
 * Invariant: nothing is written into the modules, nothing is downloaded, and nothing is run.
 */
import { isAbsolute, join, posix, relative } from 'node:path';
import { z } from 'zod';
import { sourcesIn } from '../changes/sources.ts';
import type { Problem } from '../truth/problem.ts';
import { type CompilerReport, distinct, syntaxCode, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

/** With its index, which leaves out files of the last two seconds, the go command parses files that no build has. */
const env = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GODEBUG: 'goindex=0' };

const failure = z.object({ Pos: z.string().optional(), Err: z.string() });
const listedPackage = z.object({
  Dir: z.string().optional(),
  ImportPath: z.string(),
  GoFiles: z.array(z.string()).optional(),
  CgoFiles: z.array(z.string()).optional(),
  Error: failure.optional(),
  DepsErrors: z.array(failure).nullish(),
});
type ListedPackage = z.infer<typeof listedPackage>;

interface ModuleRequest {
  readonly module: string;
  readonly packages: readonly string[];
  /** Takes the files of every package that is listed. */
  readonly held: Set<string>;
}

export class GoCompiler implements WorkspaceCompiler {
  readonly #root: string;
  #members: ReadonlySet<string> = new Set();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files that this platform's builds and tests hold, when the workspace was first measured. */
  get members(): ReadonlySet<string> {
    return this.#members;
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const modules = modulesIn(this.#root);
    const reports: CompilerReport[] = [];
    const held = new Set<string>();
    for (const [module, packages] of modules)
      reports.push(await this.#module({ module, packages, held }, signal));
    if (this.#members.size === 0) this.#members = held;
    return {
      problems: distinct(reports.flatMap(({ problems }) => problems)),
      answeredBy: [...modules.keys()].map((module) => `${module}: go list -export -test`),
      hidden: new Set(reports.flatMap(({ hidden }) => [...(hidden ?? [])])),
    };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  /** Export data needs every package compiled, tests included, and none linked. */
  async #module({ module, packages, held }: ModuleRequest, signal: AbortSignal): Promise<CompilerReport> {
    const cwd = join(this.#root, module);
    const fields = '-json=Dir,ImportPath,GoFiles,CgoFiles,Error,DepsErrors';
    const command = ['go', 'list', '-e', '-test', '-export', '-gcflags=-e', fields, ...packages];
    const { code, stdout, stderr } = await runCompiler({ command, cwd, env }, signal);
    const found = listed(stdout);
    for (const { Dir, GoFiles = [], CgoFiles = [] } of found)
      for (const name of [...GoFiles, ...CgoFiles])
        if (Dir !== undefined && !isAbsolute(name)) held.add(relative(this.#root, join(Dir, name)));
    const problems = found
      .flatMap((each) => problemsOf(each, cwd))
      .map((each) => ({ ...each, path: posix.join(module, each.path) }));
    problems.push(...found.flatMap((each) => this.#clashOf(each)));
    if (problems.length === 0 && (code !== 0 || found.some(isOfModule)))
      problems.push(moduleProblem(posix.join(module, 'go.mod'), stderr));
    return { problems, answeredBy: [], hidden: new Set(found.flatMap((each) => this.#hidden(each))) };
  }

  /** Two package clauses in one directory have no place; of two build constraints in one file only the file is named. */
  #clashOf({ Dir, Error: own }: ListedPackage): readonly Problem[] {
    if (Dir === undefined || own === undefined) return [];
    const [, named] = /^([^\s:/]+\.go): /.exec(own.Err) ?? [];
    if (named !== undefined) return [moduleProblem(relative(this.#root, join(Dir, named)), own.Err)];
    if (!/^found packages /.test(own.Err)) return [];
    return [moduleProblem(`${relative(this.#root, Dir) || '.'}/`, own.Err)];
  }

  #hidden({ Dir, GoFiles = [], CgoFiles = [], Error: own, DepsErrors }: ListedPackage): readonly string[] {
    const isUnread = own
      ? !/^# /.test(own.Err) || /syntax error/.test(own.Err)
      : (DepsErrors ?? []).length > 0;
    if (!isUnread || Dir === undefined) return [];
    return [...GoFiles, ...CgoFiles].map((name) => relative(this.#root, join(Dir, name)));
  }
}

/** Whether an error without a place says something of the module: a package that a platform leaves out is listed by name alone. */
export function isOfModule({ Error: own }: Pick<ListedPackage, 'Error'>): boolean {
  return own !== undefined && !/^build constraints exclude all Go files in /.test(own.Err);
}

/** The packages of every module in a directory, those that `./...` leaves out by their names included. */
function modulesIn(root: string): ReadonlyMap<string, readonly string[]> {
  const { paths } = sourcesIn(root);
  const isRead = (path: string): boolean => !/(^|\/)(testdata|vendor)\//.test(path);
  const modules = paths
    .filter((path) => posix.basename(path) === 'go.mod' && isRead(path))
    .map((path) => posix.dirname(path));
  const packages = paths
    .filter((path) => path.endsWith('.go') && isRead(path))
    .map((path) => posix.dirname(path));
  const byLength = [...modules].sort((a, b) => b.length - a.length);
  const owned = new Map<string, string[]>(modules.map((module) => [module, []]));
  for (const at of new Set(packages)) {
    const owner = byLength.find((module) => module === '.' || at === module || at.startsWith(`${module}/`));
    if (owner !== undefined) owned.get(owner)?.push(`./${posix.relative(owner, at)}`);
  }
  return new Map([...owned].filter(([, found]) => found.length > 0));
}

/** `go list` prints one object after the other. */
function listed(output: string): readonly ListedPackage[] {
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => listedPackage.parse(JSON.parse(text)));
}

function problemsOf({ Error: own, DepsErrors }: ListedPackage, cwd: string): readonly Problem[] {
  // An error of a package that was not listed itself shows only in those that depend on it.
  return [...(own ? [own] : []), ...(DepsErrors ?? [])].flatMap(({ Pos, Err }) => {
    if (/^found packages /.test(Err)) return [];
    // Of a test whose parameters are wrong it names the file by its whole path.
    const compiled = Err.replaceAll(`${cwd}/`, '').split('\n').flatMap(problemIn);
    return compiled.length > 0 ? compiled : problemIn(`${Pos ?? ''}: ${Err.split('\n')[0]}`);
  });
}

function problemIn(line: string): readonly Problem[] {
  const [, path, row, column, message] = /^(?:\.\/)?([^\s:]+\.go):(\d+)(?::(\d+))?: (.*)$/.exec(line) ?? [];
  if (path === undefined || message === undefined || path.startsWith('/')) return [];
  const place = { path: posix.normalize(path), line: Number(row), column: Number(column ?? 1) };
  const code = /^(syntax error|expected |invalid character|illegal )/.test(message) ? syntaxCode : '';
  return [{ ...place, severity: 'error', code, message }];
}

function moduleProblem(path: string, output: string): Problem {
  return { path, line: 1, column: 1, severity: 'error', code: '', message: output.trim() };
}
