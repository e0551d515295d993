import { expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { standsInImport, standsInReexport } from './import-statement.ts';

/** The last line of each text is judged. */
test.each([
  ["import { a } from './a';", true],
  ['import {\n  a,', true],
  ['import {\n  b,\n  // more\n  a,', true],
  ["import { b } from './b';\na();", false],
  ['import os\na()', false],
  ['from x import a', true],
  ['from x import (\n  b,\n  a', true],
  ['from x import (b)\na()', false],
  ["export { a } from './a';", true],
  ["export * from './a';", true],
  ['export function a() {}', false],
  ["const a = require('a');", true],
  ['const b = a(1);', false],
  ["const m = await import('./a');", false],
  ['use crate::a;', true],
  ['pub(crate) use crate::{\n  a,', true],
  ['#include "a.h"', true],
  ['using A;', true],
  ['import (\n\t"a"', true],
  ['user(a)', false],
])('%j: %s', (text, expected) => {
  const index = new LineIndex(text);
  expect(standsInImport(index, { line: index.lineCount - 1, character: 0 })).toBe(expected);
});

test('a line past the end is no import', () => {
  expect(standsInImport(new LineIndex('import a'), { line: 9, character: 0 })).toBe(false);
});

test.each([
  ["export { a } from './a';", true],
  ["export type { A } from './a';", true],
  ['export {\n  b,\n  a,', true],
  ["export * from './a';", true],
  ['pub use crate::a;', true],
  ["import { a } from './a';", false],
  ['export {\n  b,\n};\na();', false],
  ['export const a = 1;', false],
])('as a re-export %j: %s', (text, expected) => {
  const index = new LineIndex(text);
  expect(standsInReexport(index, { line: index.lineCount - 1, character: 0 })).toBe(expected);
});
