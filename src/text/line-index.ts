import { Failure } from '../base/failure.ts';
import { CARRIAGE_RETURN, LINE_FEED, splitsCharacter, splitsSurrogatePair } from './internal/character.ts';
import type { Position } from './position.ts';

/**
 * Where the lines of one text begin: the bridge between offsets and positions.
 *
 * Lines end with `\n`, `\r\n` or a lone `\r`, as in LSP; a text that ends with one has an empty last line.
 *
 * Invariant: for every offset that is not inside a character or a `\r\n`, `offsetAt(positionAt(offset))` is
 * that offset.
 */
export class LineIndex {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The line without what ends it. */
  lineText(line: number): string {
    return this.text.slice(this.lineStart(line), this.lineEnd(line));
  }

  /** The offset of the line's first character. */
  lineStart(line: number): number {
    const start = this.#starts[line];
    if (start === undefined) throw new LineOutOfRange(line, this.lineCount);
    return start;
  }

  /** The offset just past the line's last character, before what ends the line. */
  lineEnd(line: number): number {
    const start = this.lineStart(line);
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length;
    const endsWithPair =
      next - 2 >= start &&
      this.text.charCodeAt(next - 1) === LINE_FEED &&
      this.text.charCodeAt(next - 2) === CARRIAGE_RETURN;
    return endsWithPair ? next - 2 : next - 1;
  }

  /** The offset of a position; a column past the end of its line means the end of the line. */
  offsetAt(position: Position): number {
    const start = this.lineStart(position.line);
    if (!(position.character >= 0)) throw new ColumnOutOfRange(position);
    const offset = Math.min(start + position.character, this.lineEnd(position.line));
    if (splitsSurrogatePair(this.text, offset)) throw new SplitsSurrogatePair(position);
    return offset;
  }

  /** The position of an offset; one between `\r` and `\n` counts as the end of the line. */
  positionAt(offset: number): Position {
    if (!(offset >= 0 && offset <= this.text.length)) throw new OffsetOutOfRange(offset, this.text.length);
    const line = this.#lineOf(offset);
    const character = offset - this.lineStart(line);
    if (!splitsCharacter(this.text, offset)) return { line, character };
    if (splitsSurrogatePair(this.text, offset)) throw new SplitsSurrogatePair({ line, character });
    return { line, character: character - 1 };
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStart(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

export class LineOutOfRange extends Failure {
  readonly code = 'text/line-out-of-range';
  readonly remedy: string;

  constructor(line: number, lineCount: number) {
    super(`there is no line ${line} (counted from 0) in a text of ${lineCount} lines`);
    this.remedy = `Use a line from 0 to ${lineCount - 1}, or read the text again: it may have changed.`;
  }
}

export class ColumnOutOfRange extends Failure {
  readonly code = 'text/column-out-of-range';
  readonly remedy = 'Use a column of 0 or more; one past the end of the line means the end of the line.';

  constructor(position: Position) {
    super(`${position.character} is not a column (line ${position.line}, both counted from 0)`);
  }
}

export class OffsetOutOfRange extends Failure {
  readonly code = 'text/offset-out-of-range';
  readonly remedy = 'Compute the offset from the text it is used on: it may have changed since.';

  constructor(offset: number, length: number) {
    super(`offset ${offset} lies outside a text of ${length} UTF-16 units`);
  }
}

export class SplitsSurrogatePair extends Failure {
  readonly code = 'text/splits-surrogate-pair';
  readonly remedy =
    'Move the column by one: characters outside the Basic Multilingual Plane take two UTF-16 columns.';

  constructor(position: Position) {
    super(
      `line ${position.line}, column ${position.character} (counted from 0) lies inside a surrogate pair`,
    );
  }
}

/** The engine's own search is many times faster than looking at every unit; each finds its next match once. */
function lineStarts(text: string): number[] {
  const starts = [0];
  let lineFeed = text.indexOf('\n');
  let carriageReturn = text.indexOf('\r');
  while (lineFeed >= 0 || carriageReturn >= 0) {
    const isReturnFirst = carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed);
    const endsWithLineFeed = !isReturnFirst || lineFeed === carriageReturn + 1;
    starts.push((endsWithLineFeed ? lineFeed : carriageReturn) + 1);
    if (endsWithLineFeed) lineFeed = text.indexOf('\n', lineFeed + 1);
    if (isReturnFirst) carriageReturn = text.indexOf('\r', carriageReturn + 1);
  }
  return starts;
}
