import { describe, expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { bareName, identifierAt, nameRange } from './symbol-name.ts';

test.each([
  ['add', 'add'],
  ['(*Server).Start', 'Start'],
  ['Vector::push_back', 'push_back'],
  ['impl Display for Point', 'Point'],
  ['add(int, int)', 'add'],
  ['List<T>', 'List'],
  ['"quoted"', 'quoted'],
  ['~Point', '~Point'],
  ['#secret', 'secret'],
  ['', ''],
])('the bare name of %s is %s', (name, bare) => {
  expect(bareName(name)).toBe(bare);
});

describe('the selection of a symbol is its name', () => {
  const select = (text: string, name: string, from: number, to: number): string => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
    const selectionRange = { start: { line: 0, character: from }, end: { line: 0, character: to } };
    const { start, end } = nameRange(new LineIndex(text), { name, range, selectionRange });
    return `${start.character}-${end.character}`;
  };
  test.each<[string, string, string, number, number, string]>([
    ['that was right', 'function add() {}', 'add', 9, 12, '9-12'],
    ['where the server points at a keyword', 'function add() {}', 'add', 0, 8, '9-12'],
    ['where it points at the whole line', 'def add(): pass', 'add', 0, 15, '4-7'],
    ['and no part of a longer word', 'function address(add) {}', 'add', 0, 8, '17-20'],
    ['or what the server said where the name is not there', 'export default {}', 'add', 0, 6, '0-6'],
  ])('%s', (_, text, name, from, to, expected) => {
    expect(select(text, name, from, to)).toBe(expected);
  });
});

test.each([
  [0, undefined],
  [4, 'größe'],
  [9, 'größe'],
  [11, undefined],
  [12, '$x1'],
])('the identifier at column %i is %s', (character, expected) => {
  expect(identifierAt(new LineIndex('  = größe = $x1'), { line: 0, character })).toBe(expected);
});
