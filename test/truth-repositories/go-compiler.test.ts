import { expect, test } from 'vitest';
import { isOfModule } from '../support/compilers/go-compiler.ts';

test.each([
  ['a requirement that is missing', 'updates to go.mod needed', true],
  ['a package without files for this platform', 'build constraints exclude all Go files in /w/echo', false],
  ['none', undefined, false],
])('whether an error is of the module: %s', (_, message, expected) => {
  expect(isOfModule(message === undefined ? {} : { Error: { Pos: '', Err: message } })).toBe(expected);
});
