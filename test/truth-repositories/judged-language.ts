/** What the judge needs to know of a language: how changes are drawn, who compiles, what makes two problems the same. */
import type { ChangeKind } from '../support/changes/change.ts';
import { pythonKinds } from '../support/changes/python-kinds.ts';
import { typescriptKinds } from '../support/changes/typescript/kinds.ts';
import { PythonCompiler } from '../support/compilers/python-compiler.ts';
import type { WorkspaceCompiler } from '../support/compilers/report.ts';
import { TypeScriptCompiler } from '../support/compilers/typescript-compiler.ts';
import type { CodeOf } from './comparison.ts';

export interface JudgedLanguage {
  readonly kinds: readonly ChangeKind[];
  readonly codeOf: CodeOf;
  /** Files that are checked where a project holds them. */
  readonly sourceFile: RegExp;
  open(root: string): Promise<WorkspaceCompiler>;
}

export const judgedLanguages: Readonly<Record<string, JudgedLanguage>> = {
  typescript: {
    kinds: typescriptKinds,
    codeOf: ({ code }) => code,
    sourceFile: /\.[cm]?[jt]sx?$/,
    open: (root) => TypeScriptCompiler.open(root),
  },
  python: {
    kinds: pythonKinds,
    codeOf: ({ code }) => code,
    sourceFile: /\.pyi?$/,
    open: async (root) => new PythonCompiler(root),
  },
};
