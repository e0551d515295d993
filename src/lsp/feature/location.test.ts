import { describe, expect, test } from 'vitest';
import { readLocations } from './location.ts';

const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 4 } });
const first = { uri: 'file:///a', range: range(1) };

describe('every shape of a definition is a list of places', () => {
  test.each<[string, unknown, readonly unknown[]]>([
    ['null', null, []],
    ['nothing', undefined, []],
    ['one location', first, [first]],
    [
      'locations',
      [first, { uri: 'file:///b', range: range(2) }],
      [first, { uri: 'file:///b', range: range(2) }],
    ],
    [
      'links, which lead to the name and not to its body',
      [{ targetUri: 'file:///a', targetRange: range(9), targetSelectionRange: range(1) }],
      [first],
    ],
    ['a link without a selection', [{ targetUri: 'file:///a', targetRange: range(1) }], [first]],
    [
      'rubbish among locations',
      [7, {}, { uri: 'file:///a' }, { uri: 'file:///a', range: {} }, first],
      [first],
    ],
  ])('%s', (_, answer, expected) => {
    expect(readLocations(answer)).toEqual(expected);
  });
});
