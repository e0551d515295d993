import { expect, test } from 'vitest';
import { needsCompiler } from './compiled-edit.ts';

const text =
  'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(f())\n}\n\nfunc f() int { return 1 }\n';

const cases: readonly [string, string, string, boolean][] = [
  ['a body', 'return 1', 'return 2', false],
  ['a signature', 'f() int', 'f() int64', false],
  ['a comment', 'func f', '// f\nfunc f', false],
  ['an import of the standard library', '"fmt"', '"fmt"\nimport "os"', false],
  ['an import of any other package', '"fmt"', '"fmt"\nimport "example.test/kit/app"', true],
  ['an import of a package without a dot', '"fmt"', '"fmt"\nimport "kit/app"', true],
  ['cgo', '"fmt"', '"fmt"\nimport "C"', true],
  ['the package clause', 'package main', 'package other', true],
  ['a build constraint', 'package main', '//go:build windows\n\npackage main', true],
  ['a directive', 'func f', '//go:noinline\nfunc f', true],
  ['a function without a body', 'func f() int { return 1 }', 'func f() int', true],
  ['a program without main', 'func main', 'func man', true],
  ['a test', 'func f() int', 'func TestF(t *testing.T) {}\n\nfunc f() int', false],
  [
    'a test with another parameter',
    'func f() int',
    'func TestF(n int, t *testing.T) {}\n\nfunc f() int',
    true,
  ],
  ['a test with a result', 'func f() int', 'func TestF(t *testing.T) int { return 1 }\n\nfunc f() int', true],
  [
    'a benchmark that is given a test',
    'func f() int',
    'func BenchmarkF(t *testing.T) {}\n\nfunc f() int',
    true,
  ],
  ['a test over several lines', 'func f() int', 'func TestF(\n\tn int,\n) {}\n\nfunc f() int', true],
];

const embedding =
  'package main\n\nimport _ "embed"\n\n//go:embed a.txt\n// The text.\nvar a string\n\nfunc main() {}\n\nvar b = 1\n';

test.each<[about: string, replace: string, by: string, expected: boolean]>([
  ['another declaration', 'b = 1', 'b = 2', false],
  ['the declaration below a directive', 'a string', 'a int', true],
  ['the package that a directive needs', 'import _ "embed"\n', '', true],
])('in a file that embeds another: %s', (_, replace, by, expected) => {
  expect(embedding).toContain(replace);
  expect(needsCompiler(embedding, embedding.replace(replace, by))).toBe(expected);
});

test.each(cases)('%s', (_, replace, by, expected) => {
  expect(text).toContain(replace);
  expect(needsCompiler(text, text.replace(replace, by))).toBe(expected);
});
