import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLines, arbitraryText } from '../../test/support/text/arbitrary-change.ts';
import { invertChange } from '../../test/support/text/change-algebra.ts';
import { commonSplice, compareLines, diffText } from './diff.ts';
import { splitsCharacter } from './position.ts';
import { applyChange, type Change, normaliseChange } from './text-edit.ts';

const texts = fc.oneof(arbitraryText, arbitraryLines);

/** What every difference promises. */
function expectDifference(before: string, after: string, change: Change): void {
  expect(applyChange(before, change)).toBe(after);
  expect(normaliseChange(change)).toEqual(change);
  const borders = (text: string, addressed: Change): boolean =>
    addressed.every(({ start, end }) => !splitsCharacter(text, start) && !splitsCharacter(text, end));
  expect(borders(before, change)).toBe(true);
  expect(borders(after, invertChange(before, change))).toBe(true);
}

test('a difference turns the old text into the new one and splits no character', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      expectDifference(before, after, diffText(before, after));
      const splice = commonSplice(before, after);
      expectDifference(before, after, splice ? [splice] : []);
    }),
  );
});

test('equal texts have no difference', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(diffText(text, text)).toEqual([]);
      expect(compareLines(text, text)).toEqual([]);
      expect(commonSplice(text, text)).toBeUndefined();
    }),
  );
});

test('lines between two hunks are equal and as few lines as possible differ', () => {
  fc.assert(
    fc.property(arbitraryLines, arbitraryLines, (before, after) => {
      const old = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
      const next = after.match(/[^\n]*\n|[^\n]+/g) ?? [];
      const hunks = compareLines(before, after);
      let [oldAt, newAt, changed] = [0, 0, 0];
      for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
        expect(old.slice(oldAt, oldStart)).toEqual(next.slice(newAt, newStart));
        [oldAt, newAt] = [oldEnd, newEnd];
        changed += oldEnd - oldStart + newEnd - newStart;
      }
      expect(old.slice(oldAt)).toEqual(next.slice(newAt));
      expect(changed).toBe(old.length + next.length - 2 * commonSubsequence(old, next));
    }),
  );
});

describe('edits stay small', () => {
  test.each<[string, string, string, Change]>([
    ['one character', 'let a = 1;\n', 'let a = 2;\n', [{ start: 8, end: 9, text: '2' }]],
    [
      'a rename on two neighbouring lines',
      'use(foo, bar);\nfoo();\n',
      'use(qux, bar);\nqux();\n',
      [
        { start: 4, end: 7, text: 'qux' },
        { start: 15, end: 18, text: 'qux' },
      ],
    ],
    ['an added line', 'a\nc\n', 'a\nb\nc\n', [{ start: 2, end: 2, text: 'b\n' }]],
    ['a line end, whole', 'a\r\nb', 'a\nb', [{ start: 1, end: 3, text: '\n' }]],
    ['a character, whole', '𝒳', '𝒴', [{ start: 0, end: 2, text: '𝒴' }]],
    ['a final newline', 'a', 'a\n', [{ start: 1, end: 1, text: '\n' }]],
  ])('%s', (_, before, after, change) => {
    expect(diffText(before, after)).toEqual(change);
  });
});

describe('large texts', () => {
  const numbered = (count: number, line: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
  const file = numbered(10_000, (at) => (at % 7 === 0 ? '}' : `  statement(${at});`));

  test('scattered edits are found one by one', () => {
    const edited = numbered(10_000, (at) => {
      if (at % 100 === 50) return '  edited();';
      return at % 7 === 0 ? '}' : `  statement(${at});`;
    });
    expect(diffText(file, edited)).toHaveLength(100);
    expectDifference(file, edited, diffText(file, edited));
  });

  test('a total rewrite is one hunk', () => {
    const rewritten = numbered(9_000, (at) => `rewritten ${at}`);
    expect(compareLines(file, rewritten)).toHaveLength(1);
  });

  test('lines in another order and lines that all look alike are still answered exactly', () => {
    const reversed = file.split('\n').reverse().join('\n');
    expectDifference(file, reversed, diffText(file, reversed));
    const alike = (seed: number): string => numbered(20_000, (at) => String(((at * seed) % 7919) % 5));
    expectDifference(alike(31), alike(57), diffText(alike(31), alike(57)));
  });
});

/** The textbook table, to judge the fast search by. */
function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const element of a) {
    const next = [0];
    b.forEach((other, at) => {
      const best = Math.max(row[at + 1] ?? 0, next[at] ?? 0);
      next.push(element === other ? (row[at] ?? 0) + 1 : best);
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}
