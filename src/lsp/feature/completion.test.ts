import { expect, test } from 'vitest';
import { bestCompletions, readCompletions } from './completion.ts';

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

const list = {
  isIncomplete: false,
  items: [
    { label: 'zebra', sortText: '0' },
    { label: 'Greet', sortText: '9' },
    { label: 'greeter', sortText: '1' },
    { label: 'x.greeting', filterText: 'greeting', sortText: '5' },
  ],
};

test.each<[string, number, readonly string[]]>([
  ['gre', 2, ['greeter', 'x.greeting']],
  ['gre', 3, ['greeter', 'x.greeting', 'Greet']],
  ['', 2, ['zebra', 'greeter']],
])('after %j the best %d are those that continue it, as the server ranks them', (begun, limit, labels) => {
  const best = bestCompletions(list, begun, limit);
  expect(best.items.map(({ label }) => label)).toEqual(labels);
  expect(best.isIncomplete).toBe(true);
});

test('a list within the limit is left as it is', () => {
  expect(bestCompletions(list, 'gre', 4)).toBe(list);
});

test('what a server ranks equally is chosen by its label, in whatever order it comes', () => {
  const items = ['b', 'c', 'a'].map((label) => ({ label, sortText: '1' }));
  for (const order of [items, [...items].reverse()]) {
    const best = bestCompletions({ isIncomplete: false, items: order }, '', 2);
    expect(best.items.map(({ label }) => label)).toEqual(['a', 'b']);
  }
});
