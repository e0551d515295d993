import { expect, test } from 'vitest';
import { spellingsIn } from './spelling.ts';

const texts = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries));

test.each<[string, string | undefined, Readonly<Record<string, string>>, string]>([
  ['the name itself', 'add', { a: 'add(1)', b: 'address', c: 'x.add' }, 'a c'],
  ['a name it was imported under', 'add', { a: 'import { add as plus }', b: 'plus(1)', c: 'minus' }, 'a b'],
  [
    'a name of a name',
    'add',
    { a: 'export { add as plus }', b: 'from m import plus as sum', c: 'sum()' },
    'a b c',
  ],
  ['any, where it is the default', 'add', { a: 'export default function add', b: 'import x' }, 'a b'],
  [
    'any, where it is exported as the default',
    'add',
    { a: 'export { add as default }', b: 'import x' },
    'a b',
  ],
  ['any, where the name is not known', undefined, { a: '', b: '' }, 'a b'],
  ['names with marks that mean something in a pattern', '$a', { a: 'f($a)', b: 'a', c: '$ab' }, 'a'],
])('a text may mention a name by %s', (_, name, entries, expected) => {
  expect(spellingsIn(texts(entries), name).join(' ')).toBe(expected);
});
