import { expect, test } from 'vitest';
import { readFoldingRanges } from './folding-range.ts';

test('a folding range has at least two lines', () => {
  const whole = { startLine: 1, endLine: 4, kind: 'imports', startCharacter: 3 };
  expect(readFoldingRanges([whole, { startLine: 2, endLine: 2 }, { startLine: 5 }, null])).toEqual([
    { startLine: 1, endLine: 4, kind: 'imports' },
  ]);
  expect(readFoldingRanges(null)).toEqual([]);
});
