/** What the judge needs to know of a language: how changes are drawn, who compiles, what makes two problems the same. */
import type { ChangeKind } from '../support/changes/change.ts';
import { typescriptKinds } from '../support/changes/typescript/kinds.ts';
import type { WorkspaceCompiler } from '../support/compilers/report.ts';
import { TypeScriptCompiler } from '../support/compilers/typescript-compiler.ts';
import type { CodeOf } from './comparison.ts';

export interface JudgedLanguage {
  readonly kinds: readonly ChangeKind[];
  readonly codeOf: CodeOf;
  open(root: string): Promise<WorkspaceCompiler>;
}

export const judgedLanguages: Readonly<Record<string, JudgedLanguage>> = {
  typescript: {
    kinds: typescriptKinds,
    codeOf: ({ code }) => code,
    open: (root) => TypeScriptCompiler.open(root),
  },
};
