import { expect, test } from 'vitest';
import { readHover } from './hover.ts';

test.each<[string, unknown, string]>([
  ['nothing', null, ''],
  ['a string', { contents: 'plain' }, 'plain'],
  ['markup', { contents: { kind: 'markdown', value: '**bold**' } }, '**bold**'],
  ['a marked string', { contents: { language: 'go', value: 'func F()' } }, '```go\nfunc F()\n```'],
  [
    'several',
    { contents: [{ language: 'go', value: 'func F()' }, 'Does it.', ''] },
    '```go\nfunc F()\n```\nDoes it.',
  ],
  ['rubbish', { contents: { value: 7 } }, ''],
])('a hover is one text, given as %s', (_, answer, expected) => {
  expect(readHover(answer)).toBe(expected);
});
