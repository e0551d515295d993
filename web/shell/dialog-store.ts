/**
 * Questions that must be answered before anything else.
 *
 * Invariant: one at a time; Escape and a click outside give the safe answer.
 */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface Choice<Answer extends string> {
  readonly answer: Answer;
  readonly title: string;
  readonly look?: 'plain' | 'primary' | 'danger';
}

export interface Question<Answer extends string> {
  readonly title: string;
  readonly body?: ComponentChildren;
  /** From left to right. The first with `place: 'start'` stands apart at the left. */
  readonly choices: readonly Choice<Answer>[];
  /** Has the focus; given by Escape too. */
  readonly safe: Answer;
  /** A line with a checkbox, such as `Do not ask again in this workspace`. */
  readonly checkbox?: string;
  /** A field with a text, such as a new name. */
  readonly field?: {
    readonly label: string;
    readonly value: string;
    readonly select?: readonly [number, number];
  };
}

export interface DialogAnswer<Answer extends string> {
  readonly answer: Answer;
  readonly isChecked: boolean;
  readonly text: string;
}

export interface OpenDialog {
  readonly question: Question<string>;
  readonly settle: (answer: DialogAnswer<string>) => void;
}

export class DialogStore {
  readonly open = signal<OpenDialog | undefined>(undefined);

  ask<Answer extends string>(question: Question<Answer>): Promise<DialogAnswer<Answer>> {
    this.open.peek()?.settle({ answer: this.open.peek()?.question.safe ?? '', isChecked: false, text: '' });
    return new Promise((resolve) => {
      this.open.value = {
        question,
        settle: ({ answer, isChecked, text }) => {
          this.open.value = undefined;
          const chosen = question.choices.find((choice) => choice.answer === answer);
          resolve({ answer: chosen?.answer ?? question.safe, isChecked, text });
        },
      };
    });
  }
}
