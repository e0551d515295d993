import { expect, test } from 'vitest';
import { revisions } from './changed-file.ts';
import { riskOf } from './detect-changes.ts';

test.each([
  [undefined, 'HEAD~1..HEAD'],
  ['  ', 'HEAD~1..HEAD'],
  ['v1', 'v1~1..v1'],
  ['a..b', 'a..b'],
  ['a...b', 'a...b'],
])('the range %j means %s', (range, expected) => {
  expect(revisions(range)).toBe(expected);
});

test.each(['-p', '--output=x', ' --no-index'])('the range %j would be an option and is refused', (range) => {
  expect(() => revisions(range)).toThrow('must not begin with "-"');
});

test.each([
  ['low', []],
  ['medium', ['/w/lib/b.ts']],
  ['high', ['/w/lib/b.ts', '/w/app/c.ts']],
])('the risk is %s with callers in %j', (risk, files) => {
  const non_test_callers = files.map((file) => ({ name: 'a', file, line: 1 }));
  expect(riskOf({ file: '/w/lib/a.ts', non_test_callers })).toBe(risk);
});
