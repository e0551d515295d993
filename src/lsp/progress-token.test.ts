import { expect, test } from 'vitest';
import { progressOf, renameTokens } from './progress-token.ts';

test.each<[string, unknown, unknown]>([
  [
    'both',
    { workDoneToken: 1, partialResultToken: 'p', x: 2 },
    { workDoneToken: '<1>', partialResultToken: '<p>', x: 2 },
  ],
  ['one', { workDoneToken: 'w' }, { workDoneToken: '<w>' }],
  ['none', { x: 2 }, { x: 2 }],
  ['no parameters', undefined, undefined],
])('tokens in parameters are renamed: %s', (_, params, expected) => {
  expect(renameTokens(params, (token) => `<${token}>`)).toEqual(expected);
});

test.each<[unknown, unknown]>([
  [
    { token: 1, value: { kind: 'end' } },
    { token: 1, value: { kind: 'end' } },
  ],
  [{ value: 1 }, undefined],
  ['x', undefined],
])('progress is read off %j', (params, expected) => {
  expect(progressOf(params)).toEqual(expected);
});
