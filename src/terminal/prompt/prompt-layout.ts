/**
 * Lays out the text of a prompt and its cursor on the screen.
 *
 * Invariants: no line is wider than the terminal; the cursor stands where the next character is inserted; of a long
 * text only the lines around the cursor are laid out, so the cost of a key does not depend on the length of the text.
 */
import { boundaryFrom, charactersOf } from '../line/character.ts';
import { characterWidth } from '../line/character-width.ts';
import { type Span, type Style, type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { lineEnd, lineStart, type PromptText } from './prompt-text.ts';

export interface LaidOut {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface PromptDecoration {
  /** The prefix of the first line; the other lines are indented by its width. */
  readonly sign: Span;
  /** Spans after the text on its last line. */
  readonly after: readonly Span[];
}

export interface PromptSize {
  readonly columns: number;
  /** The maximum number of lines shown. */
  readonly rows: number;
}

export function layOutPrompt(prompt: PromptText, decoration: PromptDecoration, size: PromptSize): LaidOut {
  const indent = charactersOf(decoration.sign.text).length;
  // One column stays free, so that the cursor never waits at the right edge.
  const columns = Math.max(indent + 2, size.columns - 1);
  const laid = new PromptLayout(prompt, { ...decoration, indent, columns }).around(size.rows);
  return windowOf(prompt.text, laid, { ...decoration, indent, rows: size.rows });
}

interface PageOptions extends PromptDecoration {
  readonly indent: number;
  readonly columns: number;
}

/** A part of one line of the text, short enough to lay out on every key. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

interface Row {
  readonly piece: Piece;
  readonly spans: StyledLine;
}

interface LaidRows {
  readonly rows: readonly Row[];
  readonly cursor: LaidOut['cursor'];
}

/** The number of rows that a piece fills. A longer line continues in the next piece, on a new row. */
const rowsPerPiece = 16;

class PromptLayout {
  readonly #prompt: PromptText;
  readonly #options: PageOptions;
  readonly #pieceLength: number;

  constructor(prompt: PromptText, options: PageOptions) {
    this.#prompt = prompt;
    this.#options = options;
    this.#pieceLength = (options.columns - options.indent) * rowsPerPiece;
  }

  /** The rows around the cursor, as many in each direction as could be shown. */
  around(most: number): LaidRows {
    const { cursor } = this.#prompt;
    const piece = this.#pieceAt(cursor);
    const own = this.#rowsOf(piece, cursor);
    const above: (readonly Row[])[] = [];
    const below: (readonly Row[])[] = [];
    for (let at = this.#before(piece), count = 0; at && count < most; at = this.#before(at)) {
      const { rows } = this.#rowsOf(at);
      count += rows.length;
      above.unshift(rows);
    }
    for (let at = this.#after(piece), count = 0; at && count < most; at = this.#after(at)) {
      const { rows } = this.#rowsOf(at);
      count += rows.length;
      below.push(rows);
    }
    const rows = [...above.flat(), ...own.rows, ...below.flat()];
    return { rows, cursor: { row: above.flat().length + own.cursor.row, column: own.cursor.column } };
  }

  /** The piece of the line that contains an offset. */
  #pieceAt(offset: number): Piece {
    const { text } = this.#prompt;
    const [from, to] = [lineStart(text, offset), lineEnd(text, offset)];
    const cut = (index: number): number => {
      const place = from + index * this.#pieceLength;
      return index === 0 || place >= to ? Math.min(place, to) : boundaryFrom(text, place);
    };
    let index = Math.floor((offset - from) / this.#pieceLength);
    // A boundary is moved behind a character that spans it, and the end of a line begins no piece.
    while (index > 0 && (cut(index) > offset || cut(index) === to)) index -= 1;
    return { start: cut(index), end: cut(index + 1) };
  }

  #before({ start }: Piece): Piece | undefined {
    return start === 0 ? undefined : this.#pieceAt(start - 1);
  }

  #after({ end }: Piece): Piece | undefined {
    const { text } = this.#prompt;
    if (end >= text.length) return undefined;
    return this.#pieceAt(text[end] === '\n' ? end + 1 : end);
  }

  #rowsOf(piece: Piece, cursor = piece.start): LaidRows {
    const { text } = this.#prompt;
    const { sign, after, indent, columns } = this.#options;
    const output = new PromptOutput(piece.start === 0 ? sign : span(' '.repeat(indent)), indent, columns);
    output.write(text.slice(piece.start, cursor));
    const place = output.place();
    output.write(text.slice(cursor, piece.end));
    if (piece.end === text.length) for (const each of after) output.write(each.text, each.styles);
    return { rows: output.lines.map((spans) => ({ piece, spans })), cursor: place };
  }
}

/** The rows that fit. If rows are omitted, the first or last row says so. */
function windowOf(
  text: string,
  { rows, cursor }: LaidRows,
  { rows: most, sign, indent }: { readonly rows: number; readonly sign: Span; readonly indent: number },
): LaidOut {
  const isMore = rows.length > most && most >= leastForMarks;
  // Two rows above the cursor stay visible when it moves up: the mark, and one row of text.
  const first = Math.max(0, Math.min(rows.length - most, cursor.row - (isMore ? 2 : 0)));
  const shown = rows.slice(first, first + most);
  const lines = shown.map(({ spans }) => spans);
  if (isMore && first > 0) {
    const gone = counted(text, 0, shown[1]?.piece.start ?? 0);
    lines[0] = [sign, span(`… ${gone}above`, 'faint')];
  }
  if (isMore && first + shown.length < rows.length) {
    const left = counted(text, shown.at(-2)?.piece.end ?? 0, text.length);
    lines[lines.length - 1] = [span(' '.repeat(indent)), span(`… ${left}below`, 'faint')];
  }
  return { lines, cursor: { row: cursor.row - first, column: cursor.column } };
}

/** With fewer rows, marks about omitted rows are not shown. */
const leastForMarks = 5;

/** The number of line ends in a part of the text; empty if there is none, as in one long line. */
function counted(text: string, from: number, to: number): string {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > mostCounted) return `over ${mostCounted} lines `;
  }
  if (count === 0) return '';
  return count === 1 ? '1 line ' : `${count} lines `;
}

const mostCounted = 100_000;

const unstyled: readonly Style[] = [];

class PromptOutput {
  readonly lines: Span[][];
  readonly #columns: number;
  readonly #indent: number;
  #column: number;

  constructor(sign: Span, indent: number, columns: number) {
    this.lines = [[sign]];
    this.#indent = indent;
    this.#column = indent;
    this.#columns = columns;
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
