import { expect, test } from 'vitest';
import { nameIn } from './name-lookup.ts';

test.each<[string, string, string | undefined, string | undefined]>([
  ['nothing', '', 'add', undefined],
  ['the word in the text', '```ts\n(method) Calculator.add(): void\n```', 'add', 'add'],
  ['the first name of its own', '```typescript\nfunction add(a: number): number\n```', undefined, 'add'],
  ['the first name, where the text shows another', '```python\n(variable) total: int\n```', 'sum', 'total'],
  ['no word of the language', '```go\nfunc\n```', undefined, undefined],
])('a hover is about %s', (_, hover, word, expected) => {
  expect(nameIn(hover, word)).toBe(expected);
});
