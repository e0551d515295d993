import { expect, test } from 'vitest';
import { type LooseRangeInput, looseRangeIn, rangeIn } from './text-range.ts';

const text = 'const a = 1;\n\n  a + 2;\n';

function check(input: LooseRangeInput): string {
  const { start, end } = looseRangeIn(text, input);
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}

test.each<[string, LooseRangeInput, string]>([
  ['four numbers', { start_line: 1, start_column: 7, end_line: 1, end_column: 8 }, '0:6-0:7'],
  [
    'a column far past the line',
    { start_line: 1, start_column: 1, end_line: 1, end_column: 999 },
    '0:0-0:12',
  ],
  ['a line far past the file', { start_line: 3, start_column: 1, end_line: 99, end_column: 1 }, '2:0-3:0'],
  ['a line alone', { line: 3 }, '2:0-2:8'],
  ['a point', { line: 3, column: 3 }, '2:2-2:2'],
  ['lines without columns', { start_line: 1, end_line: 3 }, '0:0-2:8'],
  ['an object', { range: { start: { line: 1, column: 1 }, end: { line: 1, column: 6 } } }, '0:0-0:5'],
])('a range may be given as %s', (_, input, expected) => {
  expect(check(input)).toBe(expected);
});

test.each<[LooseRangeInput, string]>([
  [{}, 'start_line: missing required argument "start_line"'],
  [{ line: 5 }, 'start_line 5 exceeds file length 4'],
  [{ line: 0 }, 'start_line must be >= 1, got 0'],
  [
    { start_line: 2, start_column: 1, end_line: 1, end_column: 1 },
    'start position (2:1) must not be after end position (1:1)',
  ],
])('%j is refused: %s', (input, sentence) => {
  expect(() => looseRangeIn(text, input)).toThrow(sentence);
});

test('a strict range needs all four numbers', () => {
  expect(() => rangeIn(text, { start_line: 1, start_column: 1, end_line: 1 })).toThrow(
    'end_column: missing required argument "end_column"',
  );
});
