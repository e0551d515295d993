import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryBefore, boundaryFrom, charactersFrom, charactersOf } from './character.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The boundaries according to Unicode, without regard to cost. */
function segmented(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Texts in which neighbours combine in all possible ways. */
const awkward = fc.constantFrom(
  ...['a', ' ', '\n', '\r', '\t', '1', 'é', 'e\u0301', '\u0301', '\u200d', '\ufe0f', '\u20e3', '#', '©'],
  ...[
    '日',
    '本',
    'か',
    '\u3099',
    '한',
    '\u1100',
    '\u1161',
    '\u11a8',
    '🇩',
    '🇪',
    '👩',
    '💻',
    '👍',
    '\u{1f3fd}',
  ],
  ...['❤', '\u0600', '\u0d4e', 'क', '\u094d', 'ष', '\u0903', 'ก', '\u0e33', '\uff76', '\uff9e', '\u{20000}'],
  ...['\u{11a3a}', '\u{111c2}', '\ud83d', '\udc4d', '\u00ad', '\u200b', '\ufeff', '\u061c', 'ا', '\u0653'],
);
const text = fc.string({ unit: awkward, maxLength: 40 });

/** Ranges of code points with equal properties. */
function isUniform(code: number): boolean {
  return (
    (code >= 0x3400 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd700) ||
    (code >= 0xd800 && code < 0xf900)
  );
}

describe('boundaries', () => {
  test('are those of Unicode', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(charactersOf(given)).toEqual(segmented(given));
      }),
      { numRuns: 2000 },
    );
  });

  test('of any code point of the first plane between plain ones are those of Unicode', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x10000; code += isUniform(code) ? 97 : 1) {
      const between = ['a', '日', '👍', '한', 'a'].join(String.fromCharCode(code));
      if (charactersOf(between).length !== segmented(between).length) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('are found from anywhere in a text', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (given, offset) => {
        const ends = [0];
        for (const character of segmented(given)) ends.push((ends.at(-1) ?? 0) + character.length);
        const at = Math.min(offset, given.length);
        expect(boundaryFrom(given, at)).toBe(ends.find((end) => end >= at));
        expect(boundaryBefore(given, at)).toBe(ends.findLast((end) => end < at) ?? 0);
        const from = boundaryFrom(given, at);
        expect([...charactersFrom(given, from)].join('')).toBe(given.slice(from));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['flags', '🇩🇪'.repeat(3000), 4],
    ['one family', '👩‍👩‍👧'.repeat(3000), 8],
  ])('of a long text of %s stand between its characters', (_name, long, length) => {
    expect(new Set(charactersOf(long).map((character) => character.length))).toEqual(new Set([length]));
    for (const at of [1, 1023, 1025, 4097, long.length - 1]) {
      expect(boundaryFrom(long, at)).toBe(Math.ceil(at / length) * length);
    }
  });

  test.each([
    ['a letter with more marks than any character has', `a${'\u0301'.repeat(5000)}`],
    ['flags that do not begin where a block does', `x${'🇩🇪'.repeat(2000)}`],
    ['joiners without end', `日${'\u200d👩'.repeat(2000)}`],
  ])('%s: alike from everywhere, though it is cut', (_name, long) => {
    const ends = [0];
    for (const character of charactersOf(long)) ends.push((ends.at(-1) ?? 0) + character.length);
    expect(ends.at(-1)).toBe(long.length);
    for (let at = 1; at < long.length; at += 61) {
      expect(boundaryFrom(long, at)).toBe(ends.find((end) => end >= at));
      expect(boundaryBefore(long, at)).toBe(ends.findLast((end) => end < at));
    }
  });
});
