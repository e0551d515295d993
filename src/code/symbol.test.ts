import { expect, test } from 'vitest';
import { type CodeSymbol, enclosingSymbol, flattenSymbols, symbolKindName } from './symbol.ts';

function symbol(name: string, from: number, to: number, children: readonly CodeSymbol[] = []): CodeSymbol {
  const range = { start: { line: from, character: 2 }, end: { line: to, character: 5 } };
  return { name, kind: 12, range, selectionRange: range, children };
}

const tree = [symbol('Outer', 0, 9, [symbol('inner', 2, 4), symbol('next', 4, 6)]), symbol('lone', 20, 21)];

test.each<[string, { line: number; character: number }, string | undefined]>([
  ['inside', { line: 3, character: 0 }, 'inner'],
  ['at the first character', { line: 2, character: 2 }, 'inner'],
  ['just past the last', { line: 6, character: 5 }, 'next'],
  ['where only the outer one is', { line: 8, character: 0 }, 'Outer'],
  ['between symbols', { line: 12, character: 0 }, undefined],
  ['before the first', { line: 0, character: 0 }, undefined],
])('the innermost symbol holds a position %s', (_, position, expected) => {
  expect(enclosingSymbol(tree, position)?.name).toBe(expected);
});

test('a flattened tree names each symbol by all it lies in', () => {
  expect(flattenSymbols(tree).map(({ dottedName, depth }) => `${depth} ${dottedName}`)).toEqual([
    '0 Outer',
    '1 Outer.inner',
    '1 Outer.next',
    '0 lone',
  ]);
});

test('every kind of the protocol has its name', () => {
  expect([1, 12, 15, 22, 26, 27, 0].map(symbolKindName)).toEqual([
    'File',
    'Function',
    'String',
    'EnumMember',
    'TypeParameter',
    'Kind27',
    'Kind0',
  ]);
});
