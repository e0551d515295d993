import { expect, test } from 'vitest';
import { headOf } from './preamble.ts';

const text = '// one\n#include "a.h"\n#define X \\\n  3\n\nint f() { return X; }\n#undef X\n';

const cases: readonly [string, string, string, 'same' | 'other'][] = [
  ['a body', 'return X', 'return 1 + X', 'same'],
  ['an inclusion', '#include "a.h"\n', '', 'other'],
  ['a definition on its second line', '  3', '  4', 'other'],
  ['a directive further down', '#undef X\n', '', 'other'],
  ['a directive before the first declaration', 'int f', '#pragma once\nint f', 'other'],
];

test.each(cases)('%s', (_, replace, by, expected) => {
  expect(text).toContain(replace);
  expect(headOf(text.replace(replace, by)) === headOf(text)).toBe(expected === 'same');
});
