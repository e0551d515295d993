import { expect, test } from 'vitest';
import { importIn, lostPackageIn } from './lost-import.ts';

const text = `package data

import (
	"errors"

	шаблон "lib.test/render"
)

var names = []string{
	"lib.test/other",
}
`;

test.each([
  ['lib.test/render', { line: 6, column: 15 }],
  ['errors', { line: 4, column: 2 }],
  ['lib.test/other', undefined],
  ['lib.test', undefined],
])('%s is imported where the text says so', (specifier, place) => {
  expect(importIn(text, specifier)).toEqual(place);
});

test('an import alone on its line', () => {
  expect(importIn('package a\n\nimport "lib.test/b"\n', 'lib.test/b')).toEqual({ line: 3, column: 8 });
});

test.each([
  ['no required module provides package lib.test/render; to add it:\n\tgo get x', 'lib.test/render'],
  ['cannot find module providing package lib.test/render: import lookup disabled', 'lib.test/render'],
  ['import cycle not allowed', undefined],
])('%s', (message, specifier) => {
  expect(lostPackageIn(message)).toBe(specifier);
});
