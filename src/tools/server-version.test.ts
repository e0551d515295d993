import { expect, test } from 'vitest';
import { shortVersion } from './evaluation-payload.ts';

test.each([
  ['7.0.2', '7.0.2'],
  ['Debian clangd version 19.1.7 (3~deb12u1) linux+grpc x86_64', '19.1.7'],
  ['1.96.0 (4a4ef493 2026-05-01)', '1.96.0'],
  ['{"GoVersion":"go1.26","Deps":[{"Version":"v1.6.0"}],"Version":"v0.23.0"}', '0.23.0'],
  ['{"Main":{"Version":"v0.23.0"}}', '0.23.0'],
  ['nightly', 'nightly'],
  ['', ''],
  [`${'x'.repeat(100)}\nand more`, 'x'.repeat(40)],
])('%j is %j', (stated, expected) => {
  expect(shortVersion(stated)).toBe(expected);
});
