import { expect, test } from 'vitest';
import { readRenameTarget } from './rename.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };

test.each<[string, unknown, unknown]>([
  ['a range', range, { range }],
  ['a range with its text', { range, placeholder: 'abc' }, { range, placeholder: 'abc' }],
  ['the default behaviour', { defaultBehavior: true }, undefined],
  ['nothing', null, undefined],
])('what is renamed, given as %s', (_, answer, expected) => {
  expect(readRenameTarget(answer)).toEqual(expected);
});
