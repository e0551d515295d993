/** The letters and words of changes, and of the verdict of a commit. */
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import type { GitChange } from '../../src/editor/protocol/git.ts';
import { kindOf, wordOf } from '../future/verdict-text.ts';
import type { VerdictKind } from '../ui/verdict.tsx';

/** `nothing`: there is no change of this part. */
export type PartVerdict =
  | { readonly kind: 'checking' | 'nothing' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'checked'; readonly evaluation: WireEvaluation };

const marks: Readonly<Record<GitChange['kind'], { readonly letter: string; readonly word: string }>> = {
  added: { letter: 'A', word: 'added' },
  modified: { letter: 'M', word: 'modified' },
  deleted: { letter: 'D', word: 'deleted' },
  untracked: { letter: 'U', word: 'untracked' },
  conflict: { letter: '!', word: 'merge conflict' },
};

export function changeMarkOf(kind: GitChange['kind']): { readonly letter: string; readonly word: string } {
  return marks[kind];
}

export function partVerdictWord(verdict: PartVerdict): { readonly kind: VerdictKind; readonly word: string } {
  switch (verdict.kind) {
    case 'checking':
      return { kind: 'checking', word: 'Checking' };
    case 'nothing':
      return { kind: 'none', word: 'Nothing to check' };
    case 'failed':
      return { kind: 'unknown', word: 'Unknown' };
    case 'checked':
      return { kind: kindOf(verdict.evaluation), word: wordOf(verdict.evaluation) };
  }
}
