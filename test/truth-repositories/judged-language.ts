/** What the judge needs to know of a language: how changes are drawn, who compiles, what makes two problems the same. */
import { join } from 'node:path';
import type { ChangeKind } from '../support/changes/change.ts';
import { cppKinds } from '../support/changes/cpp-kinds.ts';
import { goKinds } from '../support/changes/go-kinds.ts';
import { pythonKinds } from '../support/changes/python-kinds.ts';
import { rustKinds } from '../support/changes/rust-kinds.ts';
import { typescriptKinds } from '../support/changes/typescript/kinds.ts';
import { CppCompiler } from '../support/compilers/cpp-compiler.ts';
import { GoCompiler } from '../support/compilers/go-compiler.ts';
import { PythonCompiler } from '../support/compilers/python-compiler.ts';
import type { WorkspaceCompiler } from '../support/compilers/report.ts';
import { RustCompiler } from '../support/compilers/rust-compiler.ts';
import { TypeScriptCompiler } from '../support/compilers/typescript-compiler.ts';
import type { CodeOf } from './comparison.ts';

export interface JudgedLanguage {
  readonly kinds: readonly ChangeKind[];
  readonly codeOf: CodeOf;
  /** Files that are checked where a project holds them. */
  readonly sourceFile: RegExp;
  /** Whether the compiler reads all of a file that it checks; otherwise conditions in the file leave lines out. */
  readonly readsWhole: boolean;
  /** A line that no compiler reads without an error, wherever it stands. */
  readonly probe: string;
  /** A compiler over a copy of a checkout. */
  open(root: string, checkout: string): Promise<WorkspaceCompiler>;
}

export const judgedLanguages: Readonly<Record<string, JudgedLanguage>> = {
  typescript: {
    kinds: typescriptKinds,
    codeOf: ({ code }) => code,
    sourceFile: /\.[cm]?[jt]sx?$/,
    readsWhole: true,
    probe: '@@@;',
    open: (root) => TypeScriptCompiler.open(root),
  },
  python: {
    kinds: pythonKinds,
    codeOf: ({ code }) => code,
    sourceFile: /\.pyi?$/,
    readsWhole: true,
    probe: 'def def',
    open: async (root) => new PythonCompiler(root),
  },
  go: {
    kinds: goKinds,
    // The compiler has no codes.
    codeOf: () => '',
    sourceFile: /\.go$/,
    readsWhole: true,
    probe: '@@@',
    open: async (root) => new GoCompiler(root),
  },
  rust: {
    kinds: rustKinds,
    codeOf: ({ code }) => code,
    sourceFile: /\.rs$/,
    readsWhole: false,
    // Code behind a feature is parsed, and its macros are not expanded.
    probe: 'compile_error!("read");',
    open: async (root) => new RustCompiler(root),
  },
  cpp: {
    kinds: cppKinds,
    // The compiler of the database is another than the server's: they agree on places, not on codes.
    codeOf: () => '',
    sourceFile: /\.(h|hpp|cc|cpp)$/,
    readsWhole: false,
    probe: '#error read',
    open: async (root, checkout) =>
      new CppCompiler({ root, writtenFor: checkout, database: join(root, 'build', 'compile_commands.json') }),
  },
};
