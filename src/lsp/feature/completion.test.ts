import { expect, test } from 'vitest';
import { readCompletions } from './completion.ts';

test.each<[string, unknown, unknown]>([
  ['nothing', null, { isIncomplete: false, items: [] }],
  ['bare items', [{ label: 'a' }, 7], { isIncomplete: false, items: [{ label: 'a' }] }],
  [
    'a list',
    { isIncomplete: true, items: [{ label: 'a' }] },
    { isIncomplete: true, items: [{ label: 'a' }] },
  ],
])('completions are a list with its flag, given as %s', (_, answer, expected) => {
  expect(readCompletions(answer)).toEqual(expected);
});
