/**
 * Asks the user of a chat.
 *
 * Invariants: one question is open at a time, and it ends with an answer or with its caller's signal; keys typed
 * before the question was on the screen answer nothing.
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
    // Input typed before the question is shown is read first; otherwise it would answer the question.
    const asked = this.#last.then(pendingInputRead).then(() => this.#show(question, signal));
    this.#last = asked.catch(() => undefined);
    return asked;
  };

  /** Handles a burst of keys, and returns the keys meant for the prompt. */
  press(burst: readonly Key[]): readonly Key[] {
    const open = this.#open;
    const shown = this.#stage.state.question;
    if (!open || !shown) return burst;
    // A user who presses Escape has stopped typing.
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

  /** The prompt has taken keys. If it is empty now, the question has the focus again. */
  noteDraft(keys: readonly Key[]): void {
    if (keys.some(({ kind }) => kind === 'text' || kind === 'paste')) this.#typedAt = this.#now();
    const { question, prompt } = this.#stage.state;
    if (question?.state.focus !== 'draft' || prompt.prompt.text !== '') return;
    // After sending a line, the user may continue typing; after erasing it by hand, they have stopped.
    if (!keys.some(({ kind }) => kind === 'enter')) this.#typedAt = Number.NEGATIVE_INFINITY;
    this.#stage.update({ question: { ...question, state: { focus: 'question' } } });
  }

  /** The user typed at the prompt while no job was running. */
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
    // The detail is printed above the question, where there is room for all of it.
    this.#stage.say(detail?.(this.#stage.writing.columns) ?? []);
    this.#stage.update({ question: { title, choices, state: { focus } } });
    this.#stage.redraw();
  }
}

/** Longer than the pause between two letters while typing. */
const typingPauseMs = 700;
