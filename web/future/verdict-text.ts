/**
 * The words of a verdict, as DESIGN says them: what is so, then how far it is proved.
 *
 * Invariant: nothing that is not proved is called clean, and what was not seen whole says `or more`.
 */
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import type { FutureState } from '../../src/editor/protocol/future.ts';
import { counted } from '../../src/text/counted-noun.ts';
import type { StatusVerdict } from '../shell/part.ts';
import { nameOf } from '../shell/place.ts';
import type { VerdictKind } from '../ui/verdict.tsx';

const kinds: Readonly<Record<WireEvaluation['verdict']['kind'], VerdictKind>> = {
  clean: 'clean',
  broken: 'break',
  unknown: 'unknown',
};

export function kindOf({ verdict }: Pick<WireEvaluation, 'verdict'>): VerdictKind {
  return kinds[verdict.kind];
}

/** `Clean`, `Breaks 3 files`, `Unknown`. `edited`: the files that the change is made in. */
export function wordOf(
  { verdict, isProved }: Pick<WireEvaluation, 'verdict' | 'isProved'>,
  edited: readonly string[] = [],
): string {
  switch (verdict.kind) {
    case 'clean':
      return 'Clean';
    case 'unknown':
      return 'Unknown';
    case 'broken': {
      const [only] = verdict.in;
      const isHere = verdict.in.length === 1 && edited.length === 1 && only === edited[0];
      if (isHere) return 'Breaks this file';
      return `Breaks ${counted(verdict.in.length, 'file')}${isProved ? '' : ' or more'}`;
    }
  }
}

/** What follows the word: `proved, 14 files`, or the first doubt. */
export function detailOf(evaluation: WireEvaluation, edited: readonly string[] = []): string {
  const { verdict, isProved, confidence, counts } = evaluation;
  switch (verdict.kind) {
    case 'clean':
      return `proved, ${counted(counts.files, 'file')}`;
    case 'unknown':
      return shortDoubt(evaluation);
    case 'broken': {
      const grade = isProved ? 'proved' : confidence;
      const isHere = verdict.in.length === 1 && edited.length === 1 && verdict.in[0] === edited[0];
      return isHere ? `${counted(verdict.errors, 'error')}, ${grade}` : grade;
    }
  }
}

/** `Proved · 14 files · 86 ms`. */
export function proofOf({ isProved, confidence, counts, durationMs }: WireEvaluation): string {
  const grade = isProved ? 'Proved' : `${confidence.charAt(0).toUpperCase()}${confidence.slice(1)}`;
  return `${isProved ? grade : 'Not proved'} · ${counted(counts.files, 'file')} · ${Math.round(durationMs)} ms`;
}

const doubtCharacters = 60;

function shortDoubt({ doubts, verdict }: WireEvaluation): string {
  const [doubt = 'nothing was proved'] =
    verdict.kind === 'unknown' && verdict.why.length > 0 ? verdict.why : doubts;
  const sentence = doubt.replace(/\.(\s.*)?$/s, '');
  const short = sentence.length > doubtCharacters ? `${sentence.slice(0, doubtCharacters - 1)}…` : sentence;
  return short.charAt(0).toLowerCase() + short.slice(1);
}

export interface FutureMoment {
  readonly state: FutureState;
  /** The text of this page is newer than what the state is about. */
  readonly isBehind: boolean;
  /** A save waits for the verdict. */
  readonly isSaving: boolean;
}

/** The first item of the status bar. */
export function statusOf({ state, isBehind, isSaving }: FutureMoment): StatusVerdict {
  if (state.kind === 'checking' || (isBehind && state.kind !== 'unchecked')) {
    const { files = undefined, answered = undefined } = state.kind === 'checking' ? state : {};
    const all = files === undefined ? '' : counted(files, 'file');
    const detail = answered === undefined ? all : `${answered} of ${all}`;
    const word = isSaving ? 'Saving after the check' : 'Checking';
    return {
      kind: 'checking',
      word,
      detail,
      tooltip: 'Checking what the unsaved text would do.',
      spoken: '',
    };
  }
  switch (state.kind) {
    case 'nothing':
      return {
        kind: 'none',
        word: 'No unsaved text',
        detail: 'nothing to check',
        tooltip: 'No unsaved text. Type, and this says what it would do to other files.',
        spoken: 'No unsaved text.',
      };
    case 'unchecked': {
      const { detail } = state;
      return {
        kind: 'none',
        word: 'Not checked',
        detail,
        tooltip: `The unsaved text is not checked: ${detail}.`,
        spoken: `Not checked: ${detail}.`,
      };
    }
    case 'checked':
      return checkedStatus(state);
  }
}

function checkedStatus({ evaluation, unsaved }: FutureState & { readonly kind: 'checked' }): StatusVerdict {
  const [word, detail] = [wordOf(evaluation, unsaved), detailOf(evaluation, unsaved)];
  const { verdict, isProved, counts, servers, doubts } = evaluation;
  const names = verdict.kind === 'broken' ? `: ${verdict.in.map(nameOf).join(', ')}` : '';
  const proof = isProved
    ? `Proved: ${counted(counts.files, 'file')} answered for this text.`
    : doubts.slice(0, 2).join(' ');
  const asked = servers.map(({ name, version }) => [name, version].filter(Boolean).join(' ')).join(', ');
  const took = `${asked}, ${Math.round(evaluation.durationMs)} ms`;
  return {
    kind: kindOf(evaluation),
    word,
    detail,
    tooltip: `${word}${names}. ${proof} ${took}. Click for the list.`,
    spoken: `${word}${names}. ${isProved ? 'Proved.' : 'Not proved.'}`,
  };
}
