import { describe, expect, test } from 'vitest';
import { readDocumentSymbols, readWorkspaceSymbols, type SymbolNode } from './symbol.ts';

const lines = (from: number, to: number) => ({
  start: { line: from, character: 0 },
  end: { line: to, character: 9 },
});

/** A tree by its names: `Outer(inner(deep))`. */
function shape(symbols: readonly SymbolNode[]): string {
  return symbols
    .map(({ name, children }) => (children.length > 0 ? `${name}(${shape(children)})` : name))
    .join(' ');
}

function flat(name: string, range: unknown, containerName?: string): unknown {
  return { name, kind: 12, location: { uri: 'file:///a', range }, containerName };
}

describe('the symbols of a document are a tree', () => {
  test.each<[string, unknown, string]>([
    ['nothing', null, ''],
    [
      'as it came',
      [
        {
          name: 'Outer',
          range: lines(0, 9),
          selectionRange: lines(0, 0),
          children: [{ name: 'in', range: lines(1, 2) }],
        },
      ],
      'Outer(in)',
    ],
    [
      'grown from a list by containers',
      [
        flat('Outer', lines(0, 9)),
        flat('inner', lines(1, 5), 'Outer'),
        flat('deep', lines(2, 3), 'inner'),
        flat('other', lines(20, 21)),
      ],
      'Outer(inner(deep)) other',
    ],
    [
      'grown into the smallest of two containers of one name',
      [flat('A', lines(0, 9)), flat('A', lines(1, 8), 'A'), flat('x', lines(2, 3), 'A')],
      'A(A(x))',
    ],
    [
      'grown from ranges that hold the name alone',
      [
        flat('A', lines(0, 0)),
        flat('x', lines(1, 1), 'A'),
        flat('A', lines(5, 5)),
        flat('y', lines(6, 6), 'ns.A'),
      ],
      'A(x) A(y)',
    ],
    ['with an unknown container at the top', [flat('x', lines(1, 1), 'Elsewhere')], 'x'],
    ['never its own container', [flat('x', lines(1, 1), 'x')], 'x'],
  ])('%s', (_, answer, expected) => {
    expect(shape(readDocumentSymbols(answer))).toBe(expected);
  });
});

test('a symbol of the workspace keeps its container, its place and its own form', () => {
  const raw = flat('x', lines(1, 1), 'A');
  const bare = { name: 'y', kind: 5, location: { uri: 'file:///b' } };
  expect(readWorkspaceSymbols([raw, bare, { name: 'nowhere' }])).toEqual([
    { name: 'x', kind: 12, containerName: 'A', location: { uri: 'file:///a', range: lines(1, 1) }, raw },
    {
      name: 'y',
      kind: 5,
      location: {
        uri: 'file:///b',
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      },
      raw: bare,
    },
  ]);
});
