import { expect, test } from 'vitest';
import { memoryBudgetBytes } from './memory-budget.ts';

const gb = 1024 ** 3;

test.each([
  ['a machine', undefined, { totalBytes: 10 * gb, constrainedBytes: undefined }, 6 * gb],
  [
    'a machine that says it has no container',
    undefined,
    { totalBytes: 10 * gb, constrainedBytes: 0 },
    6 * gb,
  ],
  ['a container', undefined, { totalBytes: 100 * gb, constrainedBytes: 10 * gb }, 6 * gb],
  ['a container without a limit', undefined, { totalBytes: 10 * gb, constrainedBytes: 2 ** 64 }, 6 * gb],
  ['a user who says so', 512, { totalBytes: 10 * gb, constrainedBytes: 0 }, 0.5 * gb],
])('the budget of %s', (_, megabytes, memory, budget) => {
  expect(memoryBudgetBytes(megabytes, memory)).toBe(budget);
});
