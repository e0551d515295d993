import { expect, test } from 'vitest';
import { readArgumentHint } from './argument-hint.ts';

/** Each argument by its name; optional ones with a question mark. */
function check(hint: string): readonly string[] {
  return readArgumentHint(hint).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
}

test.each<[hint: string, expected: readonly string[]]>([
  ['', []],
  ['no brackets at all', []],
  ['[old-name] [new-name]', ['old-name', 'new-name']],
  ['[symbol-name | file-path]', ['symbol-name', 'file-path']],
  ['[file-path] [optional: run=true]', ['file-path', 'run=true?']],
  ['[optional file path]', ['file-path?']],
  ['[optional: a | b]', ['a?', 'b?']],
  ['[optional-thing]', ['optional-thing']],
  ['[name] in [library-file:line:col] used by [root ...]', ['name', 'library-file:line:col', 'root-...']],
  ['<target> [--checks a,b] [--json]', ['target', '--checks-a,b?', '--json?']],
  ['<file-path> [--type <TypeName>]', ['file-path', '--type-TypeName?']],
  ['[a] [a] []', ['a']],
])('%j gives its arguments', (hint, expected) => {
  expect(check(hint)).toEqual(expected);
});
