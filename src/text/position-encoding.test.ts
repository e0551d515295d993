import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeRange,
  encodeRange,
  fromEncoding,
  LineIndex,
  type PositionEncoding,
  splitsSurrogatePair,
  toEncoding,
} from './position.ts';

const encodings: readonly PositionEncoding[] = ['utf-8', 'utf-16', 'utf-32'];

const line = fc.string({ unit: 'binary', maxLength: 20 });

describe.each(encodings)('%s', (encoding) => {
  test('a column between two characters survives the way there and back', () => {
    fc.assert(
      fc.property(line, (text) => {
        for (let column = 0; column <= text.length; column += 1) {
          if (splitsSurrogatePair(text, column)) continue;
          expect(fromEncoding(text, toEncoding(text, column, encoding), encoding)).toBe(column);
        }
      }),
    );
  });

  test('a column past the end is the end', () => {
    const text = 'é𝒳';
    const end = toEncoding(text, text.length, encoding);
    expect(toEncoding(text, 99, encoding)).toBe(end);
    expect(fromEncoding(text, end + 1, encoding)).toBe(text.length);
  });
});

test('columns count the units of the encoding', () => {
  fc.assert(
    fc.property(line, (text) => {
      expect(toEncoding(text, text.length, 'utf-8')).toBe(new TextEncoder().encode(text).length);
      expect(toEncoding(text, text.length, 'utf-32')).toBe([...text].length);
    }),
  );
});

test.each<[PositionEncoding, number, number]>([
  ['utf-8', 1, 0],
  ['utf-8', 3, 1],
  ['utf-8', 5, 1],
  ['utf-8', 6, 3],
  ['utf-16', 2, 1],
])(
  'in %s, column %d of é𝒳 is UTF-16 column %d: inside a character means its start',
  (encoding, column, expected) => {
    expect(fromEncoding('é𝒳', column, encoding)).toBe(expected);
  },
);

describe('ranges', () => {
  const index = new LineIndex('let 𝒳 = "é";\nlast');
  const ours = { start: { line: 0, character: 9 }, end: { line: 0, character: 12 } };

  test.each<[PositionEncoding, number, number]>([
    ['utf-8', 11, 15],
    ['utf-16', 9, 12],
    ['utf-32', 8, 11],
  ])('travel in %s and come back', (encoding, start, end) => {
    const theirs = encodeRange(index, ours, encoding);
    expect([theirs.start.character, theirs.end.character]).toEqual([start, end]);
    expect(decodeRange(index, theirs, encoding)).toEqual(ours);
  });

  test.each(encodings)('from a server that reaches past the text end where it ends (%s)', (encoding) => {
    const all = { start: { line: 0, character: 0 }, end: { line: 2147483647, character: 0 } };
    expect(decodeRange(index, all, encoding).end).toEqual({ line: 1, character: 4 });
  });
});
