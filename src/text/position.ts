/**
 * Places in a text: positions and ranges, the index of lines that leads from them to offsets and back, and columns as
 * others count them.
 *
 * Invariant: no place lies inside a character: between the halves of a surrogate pair, or of a `\r\n` for an edit.
 */
import { Failure } from '../base/failure.ts';

/** A place in a text: zero-based line and UTF-16 column, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Negative when `a` comes first, zero when they are the same place. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** A stretch of text; `end` is just past its last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Orders by start, then by end. */
export function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(a.end, b.end);
}

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

/**
 * Columns as a language server counts them. Inside, columns are UTF-16; a server may have been promised others.
 *
 * Invariant: a column between two characters survives the way there and back in every encoding.
 */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The column in `encoding` of a UTF-16 column; past the end of the line means its end. */
export function toEncoding(lineText: string, character16: number, encoding: PositionEncoding): number {
  const end = Math.max(0, Math.min(character16, lineText.length));
  if (encoding === 'utf-16') return end;
  let column = 0;
  for (let at = 0; at < end; ) {
    const units = unitsAt(lineText, at);
    if (at + units > end) break;
    column += width(lineText, at, units, encoding);
    at += units;
  }
  return column;
}

/** The UTF-16 column of a column in `encoding`; inside a character means its start, past the end the end. */
export function fromEncoding(lineText: string, character: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') {
    const column = Math.max(0, Math.min(character, lineText.length));
    return splitsSurrogatePair(lineText, column) ? column - 1 : column;
  }
  let at = 0;
  for (let column = 0; at < lineText.length; ) {
    const units = unitsAt(lineText, at);
    column += width(lineText, at, units, encoding);
    if (column > character) break;
    at += units;
  }
  return at;
}

/** A range of ours in the columns of a server. */
export function encodeRange(index: LineIndex, range: Range, encoding: PositionEncoding): Range {
  if (encoding === 'utf-16') return range;
  const encode = ({ line, character }: Position): Position => ({
    line,
    character: toEncoding(index.lineText(line), character, encoding),
  });
  return { start: encode(range.start), end: encode(range.end) };
}

/**
 * A server's range in our columns. Servers name the end of a text by lines and columns that do not exist;
 * what lies past the end of the text is brought back to it.
 */
export function decodeRange(index: LineIndex, range: Range, encoding: PositionEncoding): Range {
  const decode = ({ line, character }: Position): Position => {
    const last = index.lineCount - 1;
    if (line > last) return { line: last, character: index.lineText(last).length };
    return { line, character: fromEncoding(index.lineText(line), character, encoding) };
  };
  return { start: decode(range.start), end: decode(range.end) };
}

function unitsAt(text: string, at: number): 1 | 2 {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

/** A lone surrogate has no UTF-8 form; it travels as U+FFFD, which takes three bytes. */
function width(text: string, at: number, units: 1 | 2, encoding: 'utf-8' | 'utf-32'): number {
  if (encoding === 'utf-32') return 1;
  if (units === 2) return 4;
  const code = text.charCodeAt(at);
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}

/**
 * Which neighbouring UTF-16 units belong together.
 *
 * Invariant: no edit made in this folder begins or ends between two units that belong together.
 */
export function belongTogether(code: number, next: number): boolean {
  if (code === CARRIAGE_RETURN) return next === LINE_FEED;
  return isHighSurrogate(code) && isLowSurrogate(next);
}

/** True when `offset` lies inside a surrogate pair. */
export function splitsSurrogatePair(text: string, offset: number): boolean {
  return (
    offset > 0 && isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1))
  );
}

/** True when `offset` lies inside a surrogate pair or between the two halves of a `\r\n`. */
export function splitsCharacter(text: string, offset: number): boolean {
  return offset > 0 && belongTogether(text.charCodeAt(offset - 1), text.charCodeAt(offset));
}

export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

export const CARRIAGE_RETURN = 0x0d;
export const LINE_FEED = 0x0a;
