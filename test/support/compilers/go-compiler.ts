/**
 * The Go compiler's word on the packages of a module and their tests, with all errors of a package.
 *
 * The compiler does not look at a package whose dependency failed: what it would find there is not known, and the files
 * of such packages are reported as hidden.
 *
 * Invariant: nothing is written into the module.
 */
import { posix, relative } from 'node:path';
import { z } from 'zod';
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
    const cwd = this.#root;
    const build = await runCompiler({ command: ['go', 'build', '-gcflags=-e', './...'], cwd, env }, signal);
    // Tests are compiled and linked, but not run.
    const tests = ['go', 'test', '-gcflags=-e', '-vet=off', '-run', '^$', '-exec', '/bin/true', './...'];
    const test = await runCompiler({ command: tests, cwd, env }, signal);
    const output = `${build.stdout}${build.stderr}${test.stdout}${test.stderr}`;
    const problems = parseGo(output);
    if (problems.length === 0 && build.code + test.code !== 0)
      problems.push({
        path: 'go.mod',
        line: 1,
        column: 1,
        severity: 'error',
        code: '',
        message: output.trim(),
      });
    const failed = new Set(problems.map(({ path }) => posix.dirname(path)));
    const hidden = failed.size === 0 ? [] : await this.#hidden(failed, signal);
    return { problems: distinct(problems), answeredBy: ['go build', 'go test'], hidden: new Set(hidden) };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  /** Files of packages that depend on one in a failed directory, and of tests beside a failed package. */
  async #hidden(failed: ReadonlySet<string>, signal: AbortSignal): Promise<readonly string[]> {
    const command = [
      'go',
      'list',
      '-e',
      '-test',
      '-json=Dir,ImportPath,Deps,GoFiles,TestGoFiles,XTestGoFiles',
      './...',
    ];
    const { stdout } = await runCompiler({ command, cwd: this.#root, env }, signal);
    const packages = listed(stdout).map((each) => ({ ...each, at: relative(this.#root, each.Dir) || '.' }));
    const paths = new Set(packages.filter(({ at }) => failed.has(at)).map(({ ImportPath }) => ImportPath));
    return packages
      .filter(({ Deps = [] }) => Deps.some((path) => paths.has(path)))
      .flatMap(({ at, GoFiles = [] }) => GoFiles.map((name) => posix.join(at, name)));
  }
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
