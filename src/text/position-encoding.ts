import { isHighSurrogate, isLowSurrogate, splitsSurrogatePair } from './internal/character.ts';
import type { LineIndex } from './line-index.ts';
import type { Position } from './position.ts';
import type { Range } from './range.ts';

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
