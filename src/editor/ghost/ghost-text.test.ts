import { expect, test } from 'vitest';
import { ghostIn } from './ghost-text.ts';

test.each([
  ['plain text', 'items)', 'const a = total(', ';\n', 'items)'],
  ['a fence is taken off', '```ts\nitems)\n```', 'const a = total(', '\n', 'items)'],
  ['the line is not repeated', 'const a = total(items)', 'const a = total(', '\n', 'items)'],
  ['nor what stands behind the caret', 'items);', 'const a = total(', ');\n', 'items'],
  ['at most three lines in a line', 'a\nb\nc\nd', 'x = ', '\n', 'a\nb\nc'],
  ['nothing is nothing', '  \n', 'x = ', '\n', undefined],
])('%s', (_name, answer, before, after, expected) => {
  expect(ghostIn(answer, { before, after })).toBe(expected);
});
