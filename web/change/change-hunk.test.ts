import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedPlaces, placeAt, stepPlace } from './change-hunk.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((each) => each.join('\n'));

test('reverting every place, the last one first, gives the committed text', () => {
  fc.assert(
    fc.property(lines, lines, (committed, text) => {
      const reverted = changedPlaces(committed, text).reduceRight(
        (now, { from, to, old }) => now.slice(0, from) + old + now.slice(to),
        text,
      );
      expect(reverted).toBe(committed);
    }),
  );
});

test.each([
  ['a\nb\nc\n', 'a\nx\nb\nc\n', 'added', [1, 2]],
  ['a\nb\nc\n', 'a\nx\nc\n', 'changed', [1, 2]],
  ['a\nb\nc\n', 'a\nc\n', 'removed', [1, 1]],
  ['a\nb\n', 'a\n', 'removed', [1, 1]],
] as const)('%j became %j: %s', (committed, text, kind, [firstLine, endLine]) => {
  expect(changedPlaces(committed, text)).toMatchObject([{ kind, firstLine, endLine }]);
});

test('places are found by their lines and walked around the ends', () => {
  const places = changedPlaces('a\nb\nc\nd\n', 'x\nb\nc\n');
  const [first, last] = places;
  expect(places.map(({ kind }) => kind)).toEqual(['changed', 'removed']);
  expect(placeAt(places, 0, 4)).toBe(first);
  expect(placeAt(places, 1, 4)).toBeUndefined();
  expect(placeAt(places, 3, 4)).toBe(last);
  expect(stepPlace(places, 0, 1)).toBe(last);
  expect(stepPlace(places, 3, 1)).toBe(first);
  expect(stepPlace(places, 0, -1)).toBe(last);
  expect(stepPlace([], 0, 1)).toBeUndefined();
});
