import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/** Why no other file, or only these, can see a difference. The changed files themselves are always to be checked. */
export type EditProof =
  /** Nothing but comments and blanks differs. */
  | { readonly kind: 'tokens' }
  /** What other files can see of the changed ones is the same. */
  | { readonly kind: 'declarations'; readonly condition: ProofCondition }
  /** Only these can see a difference; `direct` are those of them that import a changed name themselves. */
  | {
      readonly kind: 'names';
      readonly files: readonly WorkspacePath[];
      readonly direct: readonly WorkspacePath[];
      readonly condition: ProofCondition;
    }
  /** Everything that can import the changed files is to be checked. */
  | { readonly kind: 'none'; readonly why: string };

/**
 * What has to hold besides. `same-files`: the edit names other modules than before, which may bring files
 * into a program or take them out; the proof holds where every program has the files it had.
 */
export type ProofCondition = 'none' | 'same-files';

/** A text before and after an edit; undefined where there is no file. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}
