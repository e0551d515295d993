import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestAgreement } from './merge-train.ts';

const graph = fc
  .integer({ min: 0, max: 9 })
  .chain((count) => fc.tuple(fc.constant(count), fc.array(fc.boolean(), { minLength: 45, maxLength: 45 })));

test('the answer agrees in every two, and no larger set does', () => {
  fc.assert(
    fc.property(graph, ([count, edges]) => {
      const sides = Array.from({ length: count }, (_, side) => side);
      const agrees = (one: number, other: number) => edges[(other * (other - 1)) / 2 + one] === true;
      const isAgreement = (set: readonly number[]) =>
        set.every((one, at) => set.slice(at + 1).every((other) => agrees(one, other)));
      const best = largestAgreement(sides, agrees);
      expect(isAgreement(best)).toBe(true);
      for (let mask = 0; mask < 1 << count; mask++) {
        const set = sides.filter((side) => mask & (1 << side));
        if (set.length > best.length) expect(isAgreement(set)).toBe(false);
      }
    }),
  );
});

test('many sides are taken in one pass, in their order', () => {
  const sides = Array.from({ length: 60 }, (_, side) => side);
  expect(largestAgreement(sides, (one, other) => one % 2 === 0 && other % 2 === 0)).toEqual(
    sides.filter((side) => side % 2 === 0),
  );
});
