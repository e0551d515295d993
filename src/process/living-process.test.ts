import { expect, test } from 'vitest';
import { isLiving, ownMark } from './living-process.ts';

/** Larger than any pid of a system. */
const unused = 2 ** 30;

test.each([
  ['ourselves', ownMark(), true],
  ['ourselves, where nobody knows when we started', { ...ownMark(), started: '' }, true],
  ['another that was given our number', { ...ownMark(), started: 'long ago' }, false],
  ['nobody', { pid: unused, started: '' }, false],
])('%s: living is %o', (_, mark, expected) => {
  expect(isLiving(mark)).toBe(expected);
});
