/**
 * Handles keys while a question is open.
 *
 * Invariants: an answer is a single letter that arrived alone, confirmed by Enter; all other typed or pasted text
 * goes to the draft of the next input, in order, and answers nothing.
 */
import type { Key } from '../prompt/key.ts';

export interface QuestionState {
  /** The target of letters. */
  readonly focus: 'question' | 'draft';
  /** The letter that Enter would confirm, as typed. */
  readonly chosen?: string;
}

export type QuestionStep =
  /** `draft` are the keys meant for the prompt. */
  | { readonly kind: 'open'; readonly state: QuestionState; readonly draft: readonly Key[] }
  | { readonly kind: 'answered'; readonly letter: string }
  | { readonly kind: 'dismissed' };

/** A burst is the input received at once: one key from a person, or a whole text from a program. */
export function pressQuestion(
  state: QuestionState,
  burst: readonly Key[],
  letters: readonly string[],
): QuestionStep {
  if (state.focus === 'draft') return pressDraft(burst);
  const [first, second] = burst;
  const letter = first?.kind === 'text' && 'text' in first ? letterIn(first.text, letters) : undefined;
  if (letter !== undefined && state.chosen === undefined) {
    if (burst.length === 1) return opened({ focus: 'question', chosen: letter });
    if (burst.length === 2 && second?.kind === 'enter') return answered(letter);
  }
  if (burst.some(isWriting)) {
    const typed: readonly Key[] = state.chosen === undefined ? [] : [{ kind: 'text', text: state.chosen }];
    return { kind: 'open', state: { focus: 'draft' }, draft: [...typed, ...burst] };
  }
  return first && burst.length === 1 ? pressNamed(state, first) : opened(state, burst.filter(isNeutral));
}

/** Keys that do not change text. */
export function isNeutral({ kind }: Key): boolean {
  return kind === 'toggle-output' || kind === 'clear-screen';
}

function pressDraft(burst: readonly Key[]): QuestionStep {
  if (burst.length === 1 && burst[0]?.kind === 'escape') return opened({ focus: 'question' });
  return { kind: 'open', state: { focus: 'draft' }, draft: burst };
}

function pressNamed(state: QuestionState, key: Key): QuestionStep {
  const { chosen } = state;
  switch (key.kind) {
    case 'enter':
      return chosen === undefined ? opened(state) : answered(chosen);
    case 'escape':
      return chosen === undefined ? { kind: 'dismissed' } : opened({ focus: 'question' });
    case 'backspace':
    case 'erase-before':
    case 'erase-word':
      return opened({ focus: 'question' });
    default:
      return opened(state, isNeutral(key) ? [key] : []);
  }
}

function isWriting({ kind }: Key): boolean {
  return kind === 'text' || kind === 'paste' || kind === 'newline';
}

function letterIn(text: string, letters: readonly string[]): string | undefined {
  return letters.includes(text.toLowerCase()) ? text : undefined;
}

function opened(state: QuestionState, draft: readonly Key[] = []): QuestionStep {
  return { kind: 'open', state, draft };
}

function answered(chosen: string): QuestionStep {
  return { kind: 'answered', letter: chosen.toLowerCase() };
}
