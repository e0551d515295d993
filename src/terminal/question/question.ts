/**
 * A question to the user with fixed answers, each with a letter.
 *
 * Invariant: an answer is one letter confirmed by Enter. A word that contains the letter is not an answer.
 */
import { type StyledLine, span } from '../line/styled-line.ts';
import { wrapLine } from '../line/wrapped-line.ts';

export interface Question<Answer> {
  readonly title: string;
  /** Printed above the question, in full. */
  readonly detail?: (columns: number) => readonly StyledLine[];
  readonly choices: readonly Choice<Answer>[];
  /** The answer for Escape and end of input: the one that grants nothing. */
  readonly dismissed: Answer;
}

export interface Choice<Answer> {
  /** One lower-case letter, unique among the choices. */
  readonly letter: string;
  /** The whole word, which line-based terminals accept too. */
  readonly word: string;
  readonly label: string;
  readonly answer: Answer;
}

/** Asks the user; rejects when the signal aborts. */
export type AskUser = <Answer>(question: Question<Answer>, signal: AbortSignal) => Promise<Answer>;

/** The lines of the question with its choices. */
export function questionLines(
  { title, choices }: Pick<Question<unknown>, 'title' | 'choices'>,
  columns: number,
): readonly StyledLine[] {
  const offered = choices.flatMap(({ letter, label }) => [span(letter, 'accent'), span(` ${label}   `)]);
  return [
    ...wrapLine([span(title, 'strong')], { columns }),
    ...wrapLine([...offered, span('then Enter', 'faint')], { columns, hanging: [span('  ')] }),
  ];
}

/** The answer that a whole line stands for; undefined if it is none. */
export function choiceOfLine<Answer>(
  { choices }: Question<Answer>,
  text: string,
): Choice<Answer> | undefined {
  const said = text.trim().toLowerCase();
  return choices.find(({ letter, word }) => said === letter || said === word);
}
