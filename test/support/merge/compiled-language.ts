/** Languages of generated repositories, each with the compiler that has the last word on a checkout. */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runCompiler } from '../compilers/run-compiler.ts';
import { keptProblems } from '../truth/kept-judgement.ts';
import type { Problem } from '../truth/problem.ts';
import { parsePyright } from '../truth/pyright-output.ts';
import { parseTsc } from '../truth/tsc-output.ts';
import { calm } from '../world.ts';
import { pythonSyntax, type Syntax, typescriptSyntax } from './generated-branch.ts';

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript-server/package.json')), 'bin', 'tsc');
const pyright = join(dirname(require.resolve('pyright/package.json')), 'index.js');

const tsconfig = JSON.stringify({
  compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
});

export interface CompiledLanguage {
  readonly name: string;
  readonly syntax: Syntax;
  /** Files at the top, the same in every branch. */
  readonly root: Readonly<Record<string, string>>;
  /** The problems of a directory with everything below it. */
  readonly compile: (directory: string) => Promise<readonly Problem[]>;
}

export const compiledLanguages: readonly CompiledLanguage[] = [
  {
    name: 'typescript',
    syntax: typescriptSyntax,
    root: { 'tsconfig.json': tsconfig },
    compile: async (cwd) => {
      await writeFile(join(cwd, 'tsconfig.json'), tsconfig);
      return keptProblems({ directory: cwd, asked: 'tsc' }, async () => {
        const command = [process.execPath, tsc, '-p', '.', '--pretty', 'false'];
        const { stdout } = await runCompiler({ command, cwd }, calm);
        return parseTsc(stdout, cwd);
      });
    },
  },
  {
    name: 'python',
    syntax: pythonSyntax,
    root: {},
    compile: (cwd) =>
      keptProblems({ directory: cwd, asked: 'pyright' }, async () => {
        const command = [process.execPath, pyright, '--outputjson', '.'];
        const { stdout } = await runCompiler({ command, cwd }, calm);
        return parsePyright(stdout, `${cwd}/`);
      }),
  },
];

/** Files one level down. */
export function below(
  directory: string,
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]));
}

/** A name that both languages take for a package. */
export function directoryOf(key: string): string {
  return key.replace(/[^a-z0-9]/g, '_');
}
