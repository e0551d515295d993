import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/**
 * Why no other file, or only the listed ones, can see a difference. The changed files themselves must always be
 * checked.
 */
export type EditProof =
  /** The part of the changed files that other files can see is unchanged. */
  | { readonly kind: 'declarations'; readonly condition: ProofCondition }
  /** Only these can see a difference; `direct` are those that import a changed name themselves. */
  | {
      readonly kind: 'names';
      readonly files: readonly WorkspacePath[];
      readonly direct: readonly WorkspacePath[];
      readonly condition: ProofCondition;
    }
  /** Everything that can import the changed files must be checked. */
  | { readonly kind: 'none'; readonly why: string };

/**
 * A further condition. `same-files`: the edit names other modules than before, or files come or go, which may add further
 * files to a program or remove them; the proof holds only if every program has the same files as before, apart from those
 * that come or go.
 */
export type ProofCondition = 'none' | 'same-files';

/** A text before and after an edit; undefined if there is no file, which then comes or goes. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}
