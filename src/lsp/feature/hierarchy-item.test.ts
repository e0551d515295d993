import { expect, test } from 'vitest';
import { readCalls } from './call-hierarchy.ts';
import { readHierarchyItems } from './hierarchy-item.ts';

const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 1 } };
const item = { name: 'f', kind: 12, uri: 'file:///a', range, selectionRange: range, data: { id: 7 } };

test('an item keeps the form in which it came, since its server wants it back', () => {
  expect(readHierarchyItems([item, null, { name: 'g' }])).toEqual([{ ...item, raw: item }]);
});

test('a call names its other end and the places where it is made', () => {
  const calls = [{ from: item, fromRanges: [range, {}] }, { to: item }, 7];
  expect(readCalls(calls, 'from')).toEqual([{ item: { ...item, raw: item }, fromRanges: [range] }]);
  expect(readCalls(calls, 'to')).toEqual([{ item: { ...item, raw: item }, fromRanges: [] }]);
});
