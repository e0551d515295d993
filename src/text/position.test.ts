import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryText } from '../../test/support/text/arbitrary-change.ts';
import { LineIndex, splitsCharacter, splitsSurrogatePair } from './position.ts';

test.each([
  ['', ['']],
  ['a', ['a']],
  ['a\n', ['a', '']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b', '']],
  ['a\rb\n\rc', ['a', 'b', '', 'c']],
  ['\n\r\n\r', ['', '', '', '']],
])('%j has the lines %j', (text, lines) => {
  const index = new LineIndex(text);
  expect(Array.from({ length: index.lineCount }, (_, line) => index.lineText(line))).toEqual(lines);
});

test('the lines and what ends them are the whole text', () => {
  fc.assert(
    fc.property(arbitraryText, (text) => {
      const index = new LineIndex(text);
      const lines = Array.from({ length: index.lineCount }, (_, line) => index.lineText(line));
      expect(lines).toEqual(text.split(/\r\n|\r|\n/));
      const starts = lines.map((_, line) => index.lineStart(line));
      expect(starts.map((start, line) => text.slice(start, starts[line + 1])).join('')).toBe(text);
    }),
  );
});

test('an offset between two characters survives the way to a position and back', () => {
  fc.assert(
    fc.property(arbitraryText, (text) => {
      const index = new LineIndex(text);
      for (let offset = 0; offset <= text.length; offset += 1) {
        if (splitsSurrogatePair(text, offset)) continue;
        const expected = splitsCharacter(text, offset) ? offset - 1 : offset;
        expect(index.offsetAt(index.positionAt(offset))).toBe(expected);
      }
    }),
  );
});

describe('positions that name no place', () => {
  const index = new LineIndex('ab\r\n𝒳c\n');
  const check = (line: number, character: number): number => index.offsetAt({ line, character });

  test('a column past the end of the line is the end of the line', () => {
    expect(check(0, 3)).toBe(2);
    expect(check(0, Number.POSITIVE_INFINITY)).toBe(2);
    expect(check(2, 1)).toBe(8);
  });

  test.each([
    [3, 0, 'text/line-out-of-range'],
    [-1, 0, 'text/line-out-of-range'],
    [0.5, 0, 'text/line-out-of-range'],
    [Number.NaN, 0, 'text/line-out-of-range'],
    [0, -1, 'text/column-out-of-range'],
    [0, Number.NaN, 'text/column-out-of-range'],
    [1, 1, 'text/splits-surrogate-pair'],
  ])('line %d, column %d is %s', (line, character, code) => {
    expect(() => check(line, character)).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    [-1, 'text/offset-out-of-range'],
    [9, 'text/offset-out-of-range'],
    [5, 'text/splits-surrogate-pair'],
  ])('offset %d is %s', (offset, code) => {
    expect(() => index.positionAt(offset)).toThrow(expect.objectContaining({ code }));
  });
});
