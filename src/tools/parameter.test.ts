import { expect, test } from 'vitest';
import { asFailure } from './failure.ts';
import { type HumanRangeInput, toRange } from './parameter.ts';

function read(input: HumanRangeInput): unknown {
  try {
    return toRange(input);
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

const range = (
  startLine: number,
  startColumn: number,
  endLine: number,
  endColumn: number,
): HumanRangeInput => ({
  start_line: startLine,
  start_column: startColumn,
  end_line: endLine,
  end_column: endColumn,
});

test.each<[string, HumanRangeInput, unknown]>([
  [
    'numbers from 1 become numbers from 0',
    range(1, 1, 2, 3),
    { start: { line: 0, character: 0 }, end: { line: 1, character: 2 } },
  ],
  [
    'a range object says the same',
    { range: { start: { line: 1, column: 1 }, end: { line: 2, column: 3 } } },
    { start: { line: 0, character: 0 }, end: { line: 1, character: 2 } },
  ],
  [
    'an empty range is a range',
    range(1, 1, 1, 1),
    { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  ],
  ['lines count from 1', range(0, 1, 1, 1), 'start_line must be >= 1, got 0'],
  ['columns count from 1', range(1, 1, 1, -4), 'end_column must be >= 1, got -4'],
  [
    'a start after its end is refused',
    range(2, 5, 2, 4),
    'start position (2:5) must not be after end position (2:4)',
  ],
  [
    'a number that is not there is missing',
    { start_line: 1 },
    'start_column: missing required argument "start_column"',
  ],
])('%s', (_promise, input, expected) => {
  expect(read(input)).toEqual(expected);
});
