import { expect, test } from 'vitest';
import { isNewer } from './update-command.ts';

test.each([
  ['1.0.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
  ['1.10.0', '1.9.0', true],
  ['1.0.0', '1.0.0-beta.1', true],
  ['1.0.0-beta.1', '1.0.0', false],
])('%s after %s: %s', (candidate, current, expected) => {
  expect(isNewer(candidate, current)).toBe(expected);
});
