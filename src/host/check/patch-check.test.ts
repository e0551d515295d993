import { expect, test } from 'vitest';
import { countedProgress } from './patch-check.ts';

test.each([
  [3, ['1 of 3 files checked', '2 of 3 files checked', '3 of 3 files checked']],
  [2103, Array.from({ length: 95 }, (_, at) => `${(at + 1) * 22} of 2103 files checked`)],
])('a check of %i files reports its progress a hundred times at most', (of, expected) => {
  const messages: string[] = [];
  const answered = countedProgress((message) => messages.push(message));
  for (let at = 1; at <= of; at++) answered(at, of);
  expect(messages).toEqual(expected);
});
