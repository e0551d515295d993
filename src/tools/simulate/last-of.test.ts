import { expect, test } from 'vitest';
import { lastOf } from './last-of.ts';

test.each([
  ['one\ntwo\n', 100, 'one\ntwo\n', false],
  ['one\ntwo\nthree\n', 8, '… 8 bytes left out …\nthree\n', true],
  ['one\ntwo\nthree\n', 6, '… 8 bytes left out …\nthree\n', true],
  ['no line end at all', 6, '… 12 bytes left out …\nat all', true],
  ['ääää', 5, '… 4 bytes left out …\nää', true],
  ['gone', 0, '… 4 bytes left out …\n', true],
])('of %j, %d bytes are %j', (text, bytes, expected, isCut) => {
  expect(lastOf(text, bytes)).toEqual({ text: expected, isCut });
});
