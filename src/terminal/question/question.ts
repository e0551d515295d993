/**
 * A question to the user with a few fixed answers: what is asked, and which letter means what.
 *
 * Invariant: an answer is one letter confirmed by Enter. A word that contains the letter is no answer.
 */
import { type StyledLine, span } from '../line/styled-line.ts';
import { wrapLine } from '../line/wrapped-line.ts';

export interface Question<Answer> {
  readonly title: string;
  /** What is asked about, printed above the question; all of it, however long. */
  readonly detail?: (columns: number) => readonly StyledLine[];
  readonly choices: readonly Choice<Answer>[];
  /** What Escape and the end of the input mean: the answer that grants nothing. */
  readonly dismissed: Answer;
}

export interface Choice<Answer> {
  /** One small letter, different for each choice. */
  readonly letter: string;
  /** The whole word, which a terminal that is read in lines accepts too. */
  readonly word: string;
  readonly label: string;
  readonly answer: Answer;
}

/** Asks the user; rejects when the signal aborts. */
export type AskUser = <Answer>(question: Question<Answer>, signal: AbortSignal) => Promise<Answer>;

/** The question and how it is answered. */
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

/** What a whole line means as an answer; undefined where it is none. */
export function choiceOfLine<Answer>(
  { choices }: Question<Answer>,
  text: string,
): Choice<Answer> | undefined {
  const said = text.trim().toLowerCase();
  return choices.find(({ letter, word }) => said === letter || said === word);
}
