/**
 * A range given by a caller, clamped to the text.
 *
 * Invariant: the range lies in the text; a position beyond the end of a line or of the file is moved to that end.
 */

import { decodeRange, LineIndex, type Range } from '../../text/position.ts';
import { InvalidArgument } from '../failure.ts';
import { type HumanRangeInput, toRange } from '../parameter.ts';

export function rangeIn(text: string, input: HumanRangeInput): Range {
  const range = toRange(input);
  const index = new LineIndex(text);
  if (range.start.line >= index.lineCount) {
    const name = input.range ? 'line' : 'start_line';
    throw new InvalidArgument(
      `${name} ${range.start.line + 1} exceeds file length ${index.lineCount}`,
      `Use a line from 1 to ${index.lineCount}; the file may have changed.`,
    );
  }
  return decodeRange(index, range, 'utf-16');
}

/**
 * A line alone means the whole line, a line with a column means that point; `end_column` defaults to the end of the
 * line.
 */
export interface LooseRangeInput extends HumanRangeInput {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export function looseRangeIn(text: string, input: LooseRangeInput): Range {
  return rangeIn(text, completed(input));
}

function completed(input: LooseRangeInput): HumanRangeInput {
  const { line, column } = input;
  if (input.range !== undefined) return input;
  const start_line = input.start_line ?? line;
  if (start_line === undefined) return input;
  const isPoint = input.start_line === undefined && column !== undefined;
  return {
    start_line,
    start_column: input.start_column ?? column ?? 1,
    end_line: input.end_line ?? start_line,
    end_column: input.end_column ?? (isPoint ? column : Number.MAX_SAFE_INTEGER),
  };
}
