import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUsage, noUsage, type Usage } from './usage.ts';

const usage: fc.Arbitrary<Usage> = fc.record({
  input: fc.nat(1000),
  cachedInput: fc.option(fc.nat(1000), { nil: undefined }),
  cacheWrite: fc.nat(1000),
  output: fc.integer({ min: 1, max: 1000 }),
});

test('a sum with a part that does not say what was cached does not say it either', () => {
  const reported: Usage = { input: 100, cachedInput: 90, cacheWrite: 0, output: 5 };
  const silent: Usage = { ...reported, cachedInput: undefined };
  expect(addUsage(reported, silent).cachedInput).toBeUndefined();
  expect(addUsage(silent, reported).cachedInput).toBeUndefined();
  expect(addUsage(reported, reported)).toEqual({ input: 200, cachedInput: 180, cacheWrite: 0, output: 10 });
});

test('adding is commutative and associative, and nothing used is neutral', () => {
  fc.assert(
    fc.property(usage, usage, usage, (a, b, c) => {
      expect(addUsage(a, b)).toEqual(addUsage(b, a));
      expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
      expect(addUsage(noUsage, a)).toEqual(a);
      expect(addUsage(a, { ...noUsage })).toEqual(a);
    }),
  );
});
