import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryTextAndChanges } from '../../test/support/text/arbitrary-change.ts';
import { mapRange } from './map-range.ts';
import { LineIndex, splitsCharacter } from './position.ts';
import { applyChange, type Change } from './text-edit.ts';

/** Maps offsets of one text, so that cases read as spans; undefined when the range did not survive. */
function check(text: string, change: Change, start: number, end: number): [number, number] | undefined {
  const before = new LineIndex(text);
  const after = new LineIndex(applyChange(text, change));
  const range = { start: before.positionAt(start), end: before.positionAt(end) };
  const mapped = mapRange(change, before, after, range);
  return mapped && [after.offsetAt(mapped.start), after.offsetAt(mapped.end)];
}

describe('a range and one edit', () => {
  test.each<[string, [number, number], [number, number, string], [number, number] | undefined]>([
    ['an edit before it moves it', [4, 7], [0, 3, 'longer'], [7, 10]],
    ['an edit behind it leaves it', [4, 7], [8, 13, ''], [4, 7]],
    ['an insertion at its start moves it', [4, 7], [4, 4, '\n'], [5, 8]],
    ['an insertion at its end leaves it', [4, 7], [7, 7, '!!'], [4, 7]],
    ['a replacement up to its start moves it', [4, 7], [0, 4, ''], [0, 3]],
    ['a replacement from its end leaves it', [4, 7], [7, 9, 'x'], [4, 7]],
    ['an insertion inside alters it', [4, 7], [5, 5, 'x'], undefined],
    ['a replacement of part of it alters it', [4, 7], [6, 9, 'x'], undefined],
    ['its removal alters it', [4, 7], [4, 7, ''], undefined],
    ['an insertion at an empty range moves it', [4, 4], [4, 4, 'ab'], [6, 6]],
    ['a replacement that starts at an empty range leaves it', [4, 4], [4, 7, 'ab'], [4, 4]],
    ['a removal up to an empty range moves it', [4, 4], [0, 4, ''], [0, 0]],
    ['a removal around an empty range takes it along', [4, 4], [3, 5, ''], undefined],
  ])('%s', (_, [start, end], [from, to, text], expected) => {
    expect(check('one two three', [{ start: from, end: to, text }], start, end)).toEqual(expected);
  });
});

test('a range that survives covers the same characters', () => {
  const cases = fc.tuple(arbitraryTextAndChanges, fc.nat({ max: 40 }), fc.nat({ max: 40 }));
  fc.assert(
    fc.property(cases, ([{ text, one }, from, to]) => {
      const [start = 0, end = 0] = [from, to].map((at) => Math.min(at, text.length)).sort((a, b) => a - b);
      const after = applyChange(text, one);
      fc.pre([start, end].every((at) => !splitsCharacter(text, at)));
      // Offsets inside a line end have no position of their own.
      fc.pre(!/\r\n/.test(text + after));
      const mapped = check(text, one, start, end);
      if (mapped) expect(after.slice(...mapped)).toBe(text.slice(start, end));
    }),
  );
});
