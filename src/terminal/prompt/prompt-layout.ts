/**
 * Where the text of a prompt stands on the screen, and where in it the cursor.
 *
 * Invariant: no line is wider than the terminal, and the cursor stands before the character that is written next.
 */
import { charactersOf, characterWidth } from '../line/character-width.ts';
import { type Span, type Style, type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import type { PromptText } from './prompt-text.ts';

export interface LaidOut {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface PromptDecoration {
  /** What the first line begins with; the others are indented as far. */
  readonly sign: Span;
  /** What follows the text, as one more part of its last line. */
  readonly after: readonly Span[];
}

export function layOutPrompt(
  { text, cursor }: PromptText,
  { sign, after }: PromptDecoration,
  columns: number,
): LaidOut {
  const paper = new Paper(sign, columns);
  paper.write(text.slice(0, cursor));
  const place = paper.place();
  paper.write(text.slice(cursor));
  for (const each of after) paper.write(each.text, each.styles);
  return { lines: paper.lines, cursor: place };
}

const unstyled: readonly Style[] = [];

class Paper {
  readonly lines: Span[][];
  readonly #columns: number;
  readonly #indent: number;
  #column: number;

  constructor(sign: Span, columns: number) {
    this.lines = [[sign]];
    this.#indent = charactersOf(sign.text).length;
    this.#column = this.#indent;
    // One column stays free, so that the cursor never waits at the edge for the next character.
    this.#columns = Math.max(this.#indent + 2, columns - 1);
  }

  place(): LaidOut['cursor'] {
    return { row: this.lines.length - 1, column: this.#column };
  }

  write(text: string, styles: readonly Style[] = unstyled): void {
    for (const character of charactersOf(visibleText(text))) {
      if (character === '\n') {
        this.#feed();
        continue;
      }
      const width = characterWidth(character);
      if (this.#column + width > this.#columns) this.#feed();
      this.#put(character, styles);
      this.#column += width;
    }
  }

  #put(character: string, styles: readonly Style[]): void {
    const row = this.lines.at(-1);
    const last = row?.at(-1);
    if (row && last && row.length > 1 && last.styles === styles)
      row[row.length - 1] = { text: last.text + character, styles };
    else row?.push({ text: character, styles });
  }

  #feed(): void {
    this.lines.push([span(' '.repeat(this.#indent))]);
    this.#column = this.#indent;
  }
}
