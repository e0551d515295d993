import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PositionInput, readPosition } from './position-input.ts';

const text = 'const a = 1;\nconst b = a;\n\nprint(a);\n';

describe('a place in a file', () => {
  test.each<[string, PositionInput, string]>([
    ['by numbers', { line: 2, column: 7 }, '1:6'],
    ['past the end of its line', { line: 1, column: 999 }, '0:12'],
    ['by a quotation', { position_pattern: 'b = @@a' }, '1:10'],
    ['by the first of several', { position_pattern: '@@a' }, '0:6'],
    ['by a quotation, whatever the numbers say', { line: 0, column: 0, position_pattern: 'print(@@' }, '3:6'],
    ['over several lines', { position_pattern: '= a;\n\npr@@int' }, '3:2'],
    ['within lines', { position_pattern: 'const @@', line_scope_start: 2, line_scope_end: 2 }, '1:6'],
    ['from a line on', { position_pattern: '@@a', line_scope_start: 3 }, '3:6'],
    [
      'up to a line past the end',
      { position_pattern: '@@a)', line_scope_start: 2, line_scope_end: 99 },
      '3:6',
    ],
    ['with a scope of nothing', { position_pattern: '@@a', line_scope_start: 0, line_scope_end: 0 }, '0:6'],
  ])('%s', (_, input, expected) => {
    const { line, character } = readPosition(input, text);
    expect(`${line}:${character}`).toBe(expected);
  });
});

describe('a place that is not there', () => {
  test.each<[PositionInput, string]>([
    [{}, 'line: missing required argument "line"'],
    [{ line: 1 }, 'column: missing required argument "column"'],
    [{ line: 0, column: 1 }, 'line must be >= 1, got 0'],
    [{ line: 1, column: 0 }, 'column must be >= 1, got 0'],
    [{ line: 9, column: 1 }, 'line 9 exceeds file length 5'],
    [{ position_pattern: 'const' }, 'position_pattern must contain @@ marker'],
    [{ position_pattern: '@@const@@' }, 'position_pattern must contain exactly one @@ marker'],
    [{ position_pattern: '@@nowhere' }, 'position_pattern not found in file: "@@nowhere"'],
    [
      { position_pattern: '@@print', line_scope_start: 1, line_scope_end: 3 },
      'position_pattern not found in lines 1-3: "@@print"',
    ],
    [{ position_pattern: '@@a', line_scope_start: -1 }, 'line_scope_start must be >= 1, got -1'],
    [
      { position_pattern: '@@a', line_scope_start: 3, line_scope_end: 2 },
      'line_scope_end (2) must be >= line_scope_start (3)',
    ],
    [{ position_pattern: '@@a', line_scope_start: 6 }, 'line_scope_start 6 exceeds file length 5'],
  ])('%o', (input, message) => {
    expect(() => readPosition(input, text)).toThrow(message);
  });
});

test('a quotation with plain line ends is found in a file that has others', () => {
  expect(readPosition({ position_pattern: 'b = a;\n\n@@print' }, text.replaceAll('\n', '\r\n'))).toEqual({
    line: 3,
    character: 0,
  });
});

test('the marker leads to the character it stands before, wherever that is', () => {
  const words = fc.array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.nat(), (characters, cut) => {
      const at = cut % characters.length;
      const before = characters.slice(0, at).join('');
      const pattern = `${before}@@${characters.slice(at).join('')}`;
      const { line, character } = readPosition({ position_pattern: pattern }, characters.join(''));
      expect(line).toBe(before.split('\n').length - 1);
      expect(character).toBe((before.split('\n').at(-1) ?? '').length);
    }),
  );
});
