/**
 * Pyright's word on a Python workspace, by its command line.
 *
 * Invariant: imports are looked up in the environment that lies in the directory, where there is one.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { parsePyright } from '../truth/pyright-output.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const require = createRequire(import.meta.url);
const checker = join(dirname(require.resolve('pyright/package.json')), 'index.js');

export class PythonCompiler implements WorkspaceCompiler {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const python = join(this.#root, '.venv', 'bin', 'python');
    const environment = existsSync(python) ? ['--pythonpath', python] : [];
    const command = [process.execPath, checker, '--outputjson', '-p', '.', ...environment];
    const { stdout, stderr } = await runCompiler({ command, cwd: this.#root }, signal);
    if (!stdout.trimStart().startsWith('{')) throw new Error(`pyright failed: ${stdout}${stderr}`);
    const problems = parsePyright(stdout, this.#root + sep);
    return { problems: distinct(problems), answeredBy: ['pyright'] };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }
}
