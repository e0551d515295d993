import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BearerToken } from './bearer-token.ts';

test.each<[string | undefined, boolean]>([
  ['Bearer s3cret', true],
  ['bearer s3cret', true],
  ['Bearer  s3cret ', true],
  ['Bearer s3cre', false],
  ['Bearer s3cretx', false],
  ['Bearer', false],
  ['Bearer ', false],
  ['Basic s3cret', false],
  ['s3cret', false],
  ['', false],
  [undefined, false],
])('the header %j is admitted: %j', (header, expected) => {
  expect(new BearerToken('s3cret').admits(header)).toBe(expected);
});

test('only the secret itself is admitted', () => {
  const word = fc.stringMatching(/^[!-~]{1,40}$/);
  fc.assert(
    fc.property(word, word, (secret, guess) => {
      expect(new BearerToken(secret).admits(`Bearer ${guess}`)).toBe(secret === guess);
    }),
  );
});

test('looking at the token does not show the secret', () => {
  const token = new BearerToken('s3cret');
  expect(inspect(token, { showHidden: true }) + JSON.stringify(token)).not.toContain('s3cret');
});
