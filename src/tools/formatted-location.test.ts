import { expect, test } from 'vitest';
import { formattedLocation } from './formatted-location.ts';

const range = { start: { line: 0, character: 4 }, end: { line: 2, character: 0 } };
const counted = { line: 1, column: 5, end_line: 3, end_column: 1 };

test.each([
  ['file:///a/b%20c.ts', '/a/b c.ts'],
  ['bundled:///libs/lib.d.ts', 'bundled:///libs/lib.d.ts'],
])('%s is told as %s, counted from 1', (uri, file) => {
  expect(formattedLocation({ uri, range })).toEqual({ file, ...counted });
});
