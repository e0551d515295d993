import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergedText, placesBetween } from './three-way.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd');
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));

test('the sides of all places, in order, are the three texts', () => {
  fc.assert(
    fc.property(text, text, text, (base, disk, mine) => {
      const places = placesBetween({ base, disk, mine });
      const side = (name: 'disk' | 'mine'): string =>
        places.map((place) => (place.kind === 'same' ? place.text : place[name])).join('');
      expect([side('disk'), side('mine')]).toEqual([disk, mine]);
    }),
  );
});

test('a side that is unchanged leaves the other one whole', () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      expect(mergedText(placesBetween({ base, disk: base, mine: changed }))).toBe(changed);
      expect(mergedText(placesBetween({ base, disk: changed, mine: base }))).toBe(changed);
      expect(mergedText(placesBetween({ base, disk: changed, mine: changed }))).toBe(changed);
    }),
  );
});

const base = 'one\ntwo\nthree\nfour\nfive\n';
test.each([
  [
    'changes apart from each other',
    'ONE\ntwo\nthree\nfour\nfive\n',
    'one\ntwo\nthree\nfour\nFIVE\n',
    'ONE\ntwo\nthree\nfour\nFIVE\n',
  ],
  [
    'an insertion and a deletion',
    'one\nnew\ntwo\nthree\nfour\nfive\n',
    'one\ntwo\nthree\nfive\n',
    'one\nnew\ntwo\nthree\nfive\n',
  ],
  ['the same line in two ways', 'one\n2\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n', undefined],
  ['lines that touch', 'one\n2\nthree\nfour\nfive\n', 'one\ntwo\n3\nfour\nfive\n', undefined],
])('%s merge to %s', (_, disk, mine, merged) => {
  expect(mergedText(placesBetween({ base, disk, mine }))).toBe(merged);
});
