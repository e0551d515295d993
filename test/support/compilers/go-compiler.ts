/**
 * The Go compiler's word on the packages of every module of a workspace and their tests, with all errors of a package.
 *
 * The compiler does not look at a package whose dependency failed: what it would find there is not known, and the files
 * of such packages are reported as hidden.
 *
 * Invariant: nothing is written into the module.
 */
import { join, posix, relative } from 'node:path';
import { z } from 'zod';
import { sourcesIn } from '../changes/sources.ts';
import type { Problem } from '../truth/problem.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const env = { GOPROXY: 'off', GOTOOLCHAIN: 'local' };

export class GoCompiler implements WorkspaceCompiler {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const modules = modulesIn(this.#root);
    const reports: CompilerReport[] = [];
    for (const [module, packages] of modules) reports.push(await this.#module(module, packages, signal));
    return {
      problems: distinct(reports.flatMap(({ problems }) => problems)),
      answeredBy: [...modules.keys()].map((module) => `${module}: go build, go test`),
      hidden: new Set(reports.flatMap(({ hidden }) => [...(hidden ?? [])])),
    };
  }

  async #module(module: string, packages: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    const cwd = join(this.#root, module);
    const build = await runCompiler(
      { command: ['go', 'build', '-gcflags=-e', ...packages], cwd, env },
      signal,
    );
    // Tests are compiled and linked, but not run.
    const flags = ['-gcflags=-e', '-vet=off', '-run', '^$', '-exec', '/bin/true'];
    const test = await runCompiler({ command: ['go', 'test', ...flags, ...packages], cwd, env }, signal);
    const output = `${build.stdout}${build.stderr}${test.stdout}${test.stderr}`;
    const problems = parseGo(output).map((each) => ({ ...each, path: posix.join(module, each.path) }));
    if (problems.length === 0 && build.code + test.code !== 0)
      problems.push(moduleProblem(posix.join(module, 'go.mod'), output));
    const failed = new Set(problems.map(({ path }) => posix.dirname(path)));
    const hidden = failed.size === 0 ? [] : await this.#hidden(cwd, packages, failed, signal);
    return { problems, answeredBy: [], hidden: new Set(hidden) };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  /** Files of packages that depend on one in a failed directory, and of tests beside a failed package. */
  async #hidden(
    cwd: string,
    named: readonly string[],
    failed: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const fields = '-json=Dir,ImportPath,Deps,GoFiles';
    const { stdout } = await runCompiler(
      { command: ['go', 'list', '-e', '-test', fields, ...named], cwd, env },
      signal,
    );
    const packages = listed(stdout).map((each) => ({ ...each, at: relative(this.#root, each.Dir) || '.' }));
    const paths = new Set(packages.filter(({ at }) => failed.has(at)).map(({ ImportPath }) => ImportPath));
    return packages
      .filter(({ Deps = [] }) => Deps.some((path) => paths.has(path)))
      .flatMap(({ at, GoFiles = [] }) => GoFiles.map((name) => posix.join(at, name)));
  }
}

/** The packages of every module in a directory, those that `./...` leaves out by their names included. */
function modulesIn(root: string): ReadonlyMap<string, readonly string[]> {
  const { paths } = sourcesIn(root);
  const isRead = (path: string): boolean => !/(^|\/)(testdata|vendor)\//.test(path);
  const modules = paths
    .filter((path) => posix.basename(path) === 'go.mod' && isRead(path))
    .map(posix.dirname);
  const packages = new Set(paths.filter((path) => path.endsWith('.go') && isRead(path)).map(posix.dirname));
  const byLength = [...modules].sort((a, b) => b.length - a.length);
  const owned = new Map<string, string[]>(modules.map((module) => [module, []]));
  for (const at of packages) {
    const owner = byLength.find((module) => module === '.' || at === module || at.startsWith(`${module}/`));
    if (owner !== undefined) owned.get(owner)?.push(`./${posix.relative(owner, at)}`);
  }
  return new Map([...owned].filter(([, found]) => found.length > 0));
}

function moduleProblem(path: string, output: string): Problem {
  return { path, line: 1, column: 1, severity: 'error', code: '', message: output.trim() };
}

const listedPackage = z.object({
  Dir: z.string(),
  ImportPath: z.string(),
  Deps: z.array(z.string()).optional(),
  GoFiles: z.array(z.string()).optional(),
});

/** `go list` prints one object after the other. */
function listed(output: string): readonly z.infer<typeof listedPackage>[] {
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.trim() !== '')
    .flatMap((text) => {
      const read = listedPackage.safeParse(JSON.parse(text));
      return read.success ? [read.data] : [];
    });
}

function parseGo(output: string): Problem[] {
  return output.split('\n').flatMap((line): Problem[] => {
    const [, path, row, column, message] =
      /^(?:vet: )?(?:\.\/)?([^\s:]+\.go):(\d+)(?::(\d+))?: (.*)$/.exec(line) ?? [];
    if (path === undefined || message === undefined) return [];
    const place = { path: posix.normalize(path), line: Number(row), column: Number(column ?? 1) };
    return [{ ...place, severity: 'error', code: '', message }];
  });
}
