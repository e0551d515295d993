/**
 * A C++ compiler's word on each unit of a compilation database: the compiler that the database names, told to stop before
 * it generates code.
 *
 * Invariant: commands name the directory they are run in, wherever the database was written.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Problem } from '../truth/problem.ts';
import { type CompilerReport, distinct, syntaxCode, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const database = z.array(z.object({ directory: z.string(), command: z.string(), file: z.string() }));

export interface CppOptions {
  readonly root: string;
  /** The directory the database was written for. */
  readonly writtenFor: string;
  readonly database: string;
}

export class CppCompiler implements WorkspaceCompiler {
  readonly #root: string;
  readonly #units: readonly { readonly directory: string; readonly command: string }[];

  constructor({ root, writtenFor, database: path }: CppOptions) {
    this.#root = root;
    const here = (text: string): string => text.replaceAll(writtenFor, root);
    this.#units = database
      .parse(JSON.parse(readFileSync(path, 'utf8')))
      .map(({ directory, command }) => ({ directory: here(directory), command: here(command) }));
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const problems: Problem[] = [];
    for (const { directory, command } of this.#units) {
      const words = command.split(/\s+/).filter((word) => word !== '');
      const output = words.indexOf('-o');
      const plain = words.filter((_, place) => output < 0 || (place !== output && place !== output + 1));
      const run = { command: [...plain, '-fsyntax-only', '-fmax-errors=0', '-w'], cwd: directory };
      const { stderr } = await runCompiler(run, signal);
      problems.push(...this.#problems(stderr, directory));
    }
    return { problems: distinct(problems), answeredBy: ['the compiler of each unit'] };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  #problems(output: string, directory: string): readonly Problem[] {
    return output.split('\n').flatMap((line): Problem[] => {
      const [, path, row, column, message] =
        /^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$/.exec(line) ??
        /^()()()(?:cc1plus|clang|g\+\+): (?:fatal )?error: (.*)$/.exec(line) ??
        [];
      if (message === undefined || path === undefined) return [];
      const at = path === '' ? (/(\S+): No such file/.exec(message)?.[1] ?? '') : path;
      const place = { path: relative(this.#root, resolve(directory, at)), line: Number(row || 1) };
      const code = /^(expected |stray |unterminated |missing terminating )/.test(message) ? syntaxCode : '';
      return [{ ...place, column: Number(column || 1), severity: 'error', code, message }];
    });
  }
}
