import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Budget, withinBudget, withinSharedBudget } from './answer-budget.ts';

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

test('an answer is never longer than its budget, and page follows page without a gap', () => {
  const lists = fc.array(fc.string());
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 60 }), (list, max_tokens) => {
      const { items: kept } = withinBudget(list, { max_tokens });
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(max_tokens * 4);
      const rest = withinBudget(list, { offset: kept.length }).items;
      expect([...kept, ...rest]).toEqual(list);
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

test('lists that share a budget are cut from the last one back', () => {
  const { lists, meta } = withinSharedBudget(
    [
      ['aaaa', 'bbbb'],
      ['cccc', 'dddd'],
    ],
    { max_tokens: 7 },
  );
  expect(lists).toEqual([['aaaa', 'bbbb'], ['cccc']]);
  expect(meta).toEqual({ truncated: { max_tokens: 7, left_out: 1, continue_with: { max_tokens: 9 } } });
  expect(withinSharedBudget([items], {})).toEqual({ lists: [items], meta: {} });
});
