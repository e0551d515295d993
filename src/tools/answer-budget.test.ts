import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Budget, type Portion, withinBudget } from './answer-budget.ts';

const items = ['aaaa', 'bbbb', 'cccc', 'dddd'];

describe('a part of a list says what it is a part of', () => {
  test.each<[string, Budget, readonly string[], unknown]>([
    ['all of it', {}, items, {}],
    ['all of it, within its budget', { max_tokens: 100 }, items, {}],
    [
      'a page',
      { limit: 2, offset: 1 },
      ['bbbb', 'cccc'],
      { pagination: { offset: 1, limit: 2, total: 4, more: true } },
    ],
    [
      'the last page',
      { limit: 9, offset: 3 },
      ['dddd'],
      { pagination: { offset: 3, limit: 9, total: 4, more: false } },
    ],
    ['past the end', { offset: 9 }, [], { pagination: { offset: 9, limit: 0, total: 4, more: false } }],
    [
      'what the budget has room for',
      { max_tokens: 4 },
      ['aaaa', 'bbbb'],
      {
        pagination: { offset: 0, limit: 2, total: 4, more: true },
        truncated: { max_tokens: 4, left_out: 2, continue_with: { offset: 2 } },
      },
    ],
  ])('%s', (_, budget, expected, meta) => {
    const portion = withinBudget(items, budget);
    expect(portion.items).toEqual(expected);
    expect(portion.meta).toEqual(meta);
  });
});

test('numbers below nought are refused', () => {
  expect(() => withinBudget(items, { limit: -1 })).toThrow('limit must be >= 0, got -1');
  expect(() => withinBudget(items, { max_tokens: -1 })).toThrow('max_tokens must be >= 0, got -1');
});

test('page follows page without a gap to the end, and none of several items is longer than its budget', () => {
  const lists = fc.array(fc.string());
  fc.assert(
    fc.property(lists, fc.integer({ min: 0, max: 60 }), (list, max_tokens) => {
      const walked: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { items: kept, meta }: Portion<string> = withinBudget(list, { max_tokens, offset });
        if (kept.length > 1)
          expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(max_tokens * 4);
        walked.push(...kept);
        offset = meta.truncated?.continue_with.offset;
      }
      expect(walked).toEqual(list);
    }),
  );
});

test('without a number the budget is 8000 tokens, and the rest begins where the answer says', () => {
  const long = Array.from({ length: 5000 }, (_, index) => `item ${index}`);
  const { items: kept, meta } = withinBudget(long, {});
  expect(Buffer.byteLength(JSON.stringify(kept)) / 4).toBeLessThanOrEqual(8000);
  expect(meta.truncated).toEqual({
    max_tokens: 8000,
    left_out: 5000 - kept.length,
    continue_with: { offset: kept.length },
  });
});
