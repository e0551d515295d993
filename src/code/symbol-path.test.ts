import { describe, expect, test } from 'vitest';
import type { CodeSymbol } from './symbol.ts';
import { lastName, resolveSymbolPath } from './symbol-path.ts';

/** A tree by its names, each numbered in document order. */
type Tree = readonly (string | readonly [string, Tree])[];

function grow(tree: Tree, counter = { next: 0 }): readonly CodeSymbol[] {
  return tree.map((node) => {
    const [name, children] = typeof node === 'string' ? [node, []] : node;
    const line = counter.next++;
    const range = { start: { line, character: 0 }, end: { line, character: 1 } };
    return { name, kind: 12, range, selectionRange: range, children: grow(children, counter) };
  });
}

const typescript: Tree = [
  'add',
  'add',
  'add',
  ['C', ['#p', 'm', 'v', 'v', '[Symbol.iterator]', '"quoted.name"']],
  ['N.M', ['z']],
  ["describe('x.y') callback", ['inner']],
];
const python: Tree = ['X', ['C', ['y', 'p', ['q', ['inner']]]]];
const go: Tree = [['T', ['a']], '(*T).M', '(T).V', 'L', '(*L[K]).Push', 'F'];
const rust: Tree = [
  ['S', ['a']],
  ['impl S<T>', ['m', 'new']],
  ['impl std::fmt::Display for S<i32>', ['fmt']],
  ['impl<T> From<T> for S<T>', ['from']],
  ['inner', ['deep']],
];
const cpp: Tree = [['ns', [['Foo', ['Foo', 'bar', 'baz']], 'id']], 'ns::Foo::Foo', 'ns::Foo::baz'];

interface Case {
  readonly server: string;
  readonly tree: Tree;
  readonly path: string;
  /** The index of the symbol in document order. */
  readonly at: number;
}

const cases: readonly Case[] = [
  { server: 'typescript', tree: typescript, path: 'add', at: 0 },
  { server: 'typescript', tree: typescript, path: 'add[2]', at: 2 },
  { server: 'typescript', tree: typescript, path: 'C.m', at: 5 },
  { server: 'typescript', tree: typescript, path: 'C::m', at: 5 },
  { server: 'typescript', tree: typescript, path: 'C.v[1]', at: 7 },
  { server: 'typescript', tree: typescript, path: 'C.#p', at: 4 },
  { server: 'typescript', tree: typescript, path: 'C.[Symbol.iterator]', at: 8 },
  { server: 'typescript', tree: typescript, path: 'C."quoted.name"', at: 9 },
  { server: 'typescript', tree: typescript, path: "C.'quoted.name'", at: 9 },
  { server: 'typescript', tree: typescript, path: 'N.M.z', at: 11 },
  { server: 'typescript', tree: typescript, path: "describe('x.y') callback.inner", at: 13 },
  { server: 'pyright', tree: python, path: 'C.q.inner', at: 5 },
  { server: 'pyright', tree: python, path: 'X', at: 0 },
  { server: 'gopls', tree: go, path: 'T', at: 0 },
  { server: 'gopls', tree: go, path: 'T.a', at: 1 },
  { server: 'gopls', tree: go, path: 'T.M', at: 2 },
  { server: 'gopls', tree: go, path: '(*T).M', at: 2 },
  { server: 'gopls', tree: go, path: 'T.V', at: 3 },
  { server: 'gopls', tree: go, path: '(T).V', at: 3 },
  { server: 'gopls', tree: go, path: 'L.Push', at: 5 },
  { server: 'gopls', tree: go, path: '(*L[K]).Push', at: 5 },
  { server: 'rust-analyzer', tree: rust, path: 'S', at: 0 },
  { server: 'rust-analyzer', tree: rust, path: 'S.a', at: 1 },
  { server: 'rust-analyzer', tree: rust, path: 'S::new', at: 4 },
  { server: 'rust-analyzer', tree: rust, path: 'S.fmt', at: 6 },
  { server: 'rust-analyzer', tree: rust, path: 'impl S', at: 2 },
  { server: 'rust-analyzer', tree: rust, path: 'impl S<T>.m', at: 3 },
  { server: 'rust-analyzer', tree: rust, path: 'impl std::fmt::Display for S<i32>::fmt', at: 6 },
  { server: 'rust-analyzer', tree: rust, path: 'S<T>::from', at: 8 },
  { server: 'rust-analyzer', tree: rust, path: 'inner::deep', at: 10 },
  { server: 'clangd', tree: cpp, path: 'ns::Foo', at: 1 },
  { server: 'clangd', tree: cpp, path: 'ns.Foo.bar', at: 3 },
  { server: 'clangd', tree: cpp, path: 'ns::Foo::baz', at: 4 },
  { server: 'clangd', tree: cpp, path: 'Foo::baz', at: 7 },
  { server: 'clangd', tree: cpp, path: 'ns.id', at: 5 },
];

test.each(cases)('$server: $path', ({ tree, path, at }) => {
  const [symbol] = resolveSymbolPath(grow(tree), path);
  expect(symbol?.range.start.line).toBe(at);
});

test('a path without an index means every symbol of that name, the first one first', () => {
  expect(resolveSymbolPath(grow(typescript), 'add').map(({ range }) => range.start.line)).toEqual([0, 1, 2]);
  expect(resolveSymbolPath(grow(cpp), 'ns::Foo::baz').map(({ range }) => range.start.line)).toEqual([4, 7]);
});

describe('what cannot be found is named', () => {
  const sentence = (tree: Tree, path: string): string => {
    try {
      resolveSymbolPath(grow(tree), path);
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : '';
    }
    return 'found';
  };

  test.each([
    { tree: typescript, path: 'nope', message: 'resolve symbol: symbol "nope" not found at current level.' },
    {
      tree: typescript,
      path: 'C.nope',
      message: 'resolve symbol: symbol "nope" not found at current level.',
    },
    { tree: python, path: 'C.q.nope', message: 'resolve symbol: symbol "nope" not found at current level.' },
    {
      tree: typescript,
      path: 'add[3]',
      message: 'overload index [3] out of bounds for "add" (found 3 matches)',
    },
  ])('$path', ({ tree, path, message }) => {
    expect(sentence(tree, path)).toContain(message);
  });
});

test.each([
  ['T.M', 'M'],
  ['(*T).M', 'M'],
  ['ns::Foo::baz', 'baz'],
  ['add[1]', 'add'],
])('the last name of %s is %s', (path, name) => {
  expect(lastName(path)).toBe(name);
});
