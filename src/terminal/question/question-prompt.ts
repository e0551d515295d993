/**
 * Where the user of a chat is asked.
 *
 * Invariants: one question is open at a time, and it ends with an answer or with the signal of its caller; what was
 * typed before the question was on the screen answers nothing.
 */

import { onAbort } from '../../base/deadline.ts';
import type { LiveRegion } from '../live-region.ts';
import { pendingInputRead } from '../pending-input.ts';
import type { Key } from '../prompt/key.ts';
import type { AskUser, Question } from './question.ts';
import { pressQuestion, type QuestionState } from './question-state.ts';

interface OpenQuestion {
  readonly letters: readonly string[];
  answer(letter: string): void;
  dismiss(): void;
}

export class QuestionPrompt {
  readonly #stage: LiveRegion;
  readonly #now: () => number;
  #open: OpenQuestion | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stage: LiveRegion, now: () => number = () => performance.now()) {
    this.#stage = stage;
    this.#now = now;
  }

  get isAsking(): boolean {
    return this.#open !== undefined;
  }

  readonly ask: AskUser = (question, signal) => {
    // What was typed before the question is on the screen must be read before it, or it would answer it.
    const asked = this.#last.then(pendingInputRead).then(() => this.#show(question, signal));
    this.#last = asked.catch(() => undefined);
    return asked;
  };

  /** Takes what was pressed, and returns the keys that are meant for the prompt. */
  press(burst: readonly Key[]): readonly Key[] {
    const open = this.#open;
    const shown = this.#stage.state.question;
    if (!open || !shown) return burst;
    // Escape is pressed by somebody who has stopped writing.
    if (burst[0]?.kind === 'escape') this.#typedAt = Number.NEGATIVE_INFINITY;
    const step = pressQuestion(this.#stateFor(shown.state, burst), burst, open.letters);
    switch (step.kind) {
      case 'answered':
        open.answer(step.letter);
        return [];
      case 'dismissed':
        open.dismiss();
        return [];
      case 'open':
        this.#stage.update({ question: { ...shown, state: step.state } });
        return step.draft;
    }
  }

  /** The prompt has taken keys: the question is in focus again where nothing is left in the prompt. */
  noteDraft(keys: readonly Key[]): void {
    if (keys.some(({ kind }) => kind === 'text' || kind === 'paste')) this.#typedAt = this.#now();
    const { question, prompt } = this.#stage.state;
    if (question?.state.focus !== 'draft' || prompt.prompt.text !== '') return;
    // Who sends a line may go on typing; who erases one by hand has stopped.
    if (!keys.some(({ kind }) => kind === 'enter')) this.#typedAt = Number.NEGATIVE_INFINITY;
    this.#stage.update({ question: { ...question, state: { focus: 'question' } } });
  }

  /** The user was at the prompt, with no work to type ahead of. */
  noteInput(): void {
    this.#typedAt = Number.NEGATIVE_INFINITY;
  }

  #stateFor(state: QuestionState, burst: readonly Key[]): QuestionState {
    const isTyping = this.#now() - this.#typedAt < typingPauseMs;
    const hasText = burst.some(({ kind }) => kind === 'text');
    return isTyping && hasText && state.chosen === undefined ? { focus: 'draft' } : state;
  }

  #show<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      signal.throwIfAborted();
      const close = (): void => {
        this.#open = undefined;
        forget();
        this.#stage.update({ question: undefined });
      };
      const forget = onAbort(signal, () => {
        close();
        reject(signal.reason);
      });
      const settle = (answer: Answer): void => {
        close();
        resolve(answer);
      };
      const { choices, dismissed } = question;
      this.#open = {
        letters: choices.map(({ letter }) => letter),
        answer: (letter) => settle(choices.find((each) => each.letter === letter)?.answer ?? dismissed),
        dismiss: () => settle(dismissed),
      };
      this.#draw(question);
    });
  }

  #draw(question: Question<unknown>): void {
    const { title, choices, detail } = question;
    const focus = this.#stage.state.prompt.prompt.text === '' ? 'question' : 'draft';
    // Above the question there is room for all of it, however long it is.
    this.#stage.say(detail?.(this.#stage.writing.columns) ?? []);
    this.#stage.update({ question: { title, choices, state: { focus } } });
    this.#stage.redraw();
  }
}

/** Nobody who types pauses for so long between two letters. */
const typingPauseMs = 700;
