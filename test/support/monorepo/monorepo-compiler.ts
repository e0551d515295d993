/**
 * The compiler's word on a generated monorepo: the commands that its shape names, and the compiler's API where a command stops at
 * one class of errors and does not come to the next.
 *
 * Invariant: the commands run on a copy, since some of them build. Each problem is named once, however many projects report it.
 */
import { basename } from 'node:path';
import { resolveEmbedded } from '../../../src/servers/embedded-server.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from '../compilers/report.ts';
import { runCompiler } from '../compilers/run-compiler.ts';
import { TypeScriptCompiler } from '../compilers/typescript-compiler.ts';
import { keptProblems } from '../truth/kept-judgement.ts';
import type { Problem } from '../truth/problem.ts';
import { isSyntactic, parseTsc } from '../truth/tsc-output.ts';
import { type GeneratedMonorepo, MonorepoDirectory } from './generated-monorepo.ts';

export class MonorepoCompiler implements WorkspaceCompiler {
  readonly #root: string;
  readonly #monorepo: GeneratedMonorepo;

  constructor(root: string, monorepo: GeneratedMonorepo) {
    this.#root = root;
    this.#monorepo = monorepo;
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const { checks } = this.#monorepo;
    const kept = { directory: this.#root, asked: { checks } };
    const problems = await keptProblems(kept, async () => {
      await using copy = await MonorepoDirectory.copyOf(this.#root);
      const said = await this.#check(copy, signal);
      const asked = said.some(mayHide) ? (await askProjects(copy, signal)).problems : [];
      return distinct([...said, ...asked]);
    });
    return { problems, answeredBy: [] };
  }

  measureAfter(_: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  /** References followed to sources, where the commands read declarations: the two differ in what a declaration leaves out. */
  async measureAgain(signal: AbortSignal): Promise<CompilerReport> {
    const { checks } = this.#monorepo;
    const kept = { directory: this.#root, asked: { checks, again: 'api' } };
    const problems = await keptProblems(kept, async () => {
      await using copy = await MonorepoDirectory.copyOf(this.#root);
      await this.#check(copy, signal);
      return (await askProjects(copy, signal)).problems;
    });
    return { problems, answeredBy: [] };
  }

  async #check({ root }: MonorepoDirectory, signal: AbortSignal): Promise<readonly Problem[]> {
    const said: Problem[] = [];
    for (const check of this.#monorepo.checks) {
      const problems = parseTsc(await runTsc(root, check, signal), root);
      said.push(...problems.map((problem) => ({ ...problem, path: problem.path || configOf(check) })));
    }
    return said;
  }
}

/** Builds what packages read of each other, before anything is asked about the tree. */
export async function buildMonorepo(
  { root }: MonorepoDirectory,
  { builds = [] }: GeneratedMonorepo,
  signal: AbortSignal,
): Promise<void> {
  for (const build of builds) await runTsc(root, build, signal);
}

async function askProjects({ root }: MonorepoDirectory, signal: AbortSignal): Promise<CompilerReport> {
  const compiler = await TypeScriptCompiler.open(root);
  return compiler.measure(signal);
}

async function runTsc(root: string, words: readonly string[], signal: AbortSignal): Promise<string> {
  const [program = 'tsc'] = resolveEmbedded('typescript');
  const command = [program, ...words, '--pretty', 'false'];
  const { stdout } = await runCompiler({ command, cwd: root }, signal);
  return stdout;
}

/** Where a problem of a whole project is reported. */
function configOf([, project = '.']: readonly string[]): string {
  return project.endsWith('.json') ? project : `${project}/tsconfig.json`.replace(/^\.\//, '');
}

/** Syntax and options hide types. */
function mayHide(problem: Problem): boolean {
  return isSyntactic(problem) || /^tsconfig.*\.json$/.test(basename(problem.path));
}
