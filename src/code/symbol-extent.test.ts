import { describe, expect, test } from 'vitest';
import { quotedSymbol } from '../../test/support/quoted-symbol.ts';
import { languageId } from '../servers/language.ts';
import { LineIndex } from '../text/position.ts';
import { syntaxOf } from './code-syntax.ts';
import { endBehind, lineAbove, withoutSymbol } from './symbol-extent.ts';

interface Deletion {
  readonly title: string;
  readonly language: string;
  readonly text: string;
  readonly name: string;
  readonly range: string;
  readonly kind?: number;
  readonly after: string;
}

const variable = 13;

const deletions: readonly Deletion[] = [
  {
    title: 'a function with its comment and one gap',
    language: 'typescript',
    text: 'const a = 1;\n\n/**\n * Doc.\n */\nfunction f() {\n  return 1;\n}\n\nconst b = 2;\n',
    name: 'f',
    range: 'function f() {\n  return 1;\n}',
    after: 'const a = 1;\n\nconst b = 2;\n',
  },
  {
    title: 'the last function of a file',
    language: 'typescript',
    text: 'const a = 1;\n\nfunction f() {}\n',
    name: 'f',
    range: 'function f() {}',
    after: 'const a = 1;\n',
  },
  {
    title: 'the only function of a file',
    language: 'typescript',
    text: 'function f() {}\n',
    name: 'f',
    range: 'function f() {}',
    after: '',
  },
  {
    title: 'a variable with the words before it and its semicolon',
    language: 'typescript',
    text: 'export const a = 1;\nexport const b = 2; // two\n\nexport const c = 3;\n',
    name: 'b',
    range: 'b = 2',
    kind: variable,
    after: 'export const a = 1;\n\nexport const c = 3;\n',
  },
  {
    title: 'the first of two declarators',
    language: 'typescript',
    text: 'let a = 1, b = 2;\n',
    name: 'a',
    range: 'a = 1',
    kind: variable,
    after: 'let b = 2;\n',
  },
  {
    title: 'the last of two declarators',
    language: 'typescript',
    text: 'let a = 1, b = 2;\n',
    name: 'b',
    range: 'b = 2',
    kind: variable,
    after: 'let a = 1;\n',
  },
  {
    title: 'declarators that the server draws from the type on',
    language: 'cpp',
    text: 'int x = 1, y = 2;\n',
    name: 'x',
    range: 'int x = 1',
    kind: variable,
    after: 'int y = 2;\n',
  },
  {
    title: 'a member of an enumeration on one line',
    language: 'typescript',
    text: 'enum E { A = 1, B }\n',
    name: 'A',
    range: 'A = 1',
    kind: 22,
    after: 'enum E { B }\n',
  },
  {
    title: 'a member of an enumeration on its own line',
    language: 'typescript',
    text: 'enum E {\n  A,\n  // bee\n  B,\n  C,\n}\n',
    name: 'B',
    range: 'B',
    kind: 22,
    after: 'enum E {\n  A,\n  C,\n}\n',
  },
  {
    title: 'the first method of a class',
    language: 'typescript',
    text: 'class A {\n  @dec({\n    a: 1,\n  })\n  m() {}\n\n  n() {}\n}\n',
    name: 'm',
    range: 'm() {}',
    after: 'class A {\n  n() {}\n}\n',
  },
  {
    title: 'a decorated function between two gaps of two lines',
    language: 'python',
    text: 'a = 1\n\n\n# about f\n@cache\ndef f():\n    return 1\n\n\nb = 2\n',
    name: 'f',
    range: '@cache\ndef f():\n    return 1',
    after: 'a = 1\n\n\nb = 2\n',
  },
  {
    title: 'a variable of which the server names only the name',
    language: 'python',
    text: 'A = [\n    1,\n]\nB = 2\n',
    name: 'A',
    range: 'A',
    kind: variable,
    after: 'B = 2\n',
  },
  {
    title: 'a template with the line above it',
    language: 'cpp',
    text: 'int a;\n\ntemplate <typename T>\nT id(T t) { return t; }\n\nint b;\n',
    name: 'id',
    range: 'T id(T t) { return t; }',
    after: 'int a;\n\nint b;\n',
  },
  {
    title: 'a type whose keyword the server leaves out',
    language: 'go',
    text: 'package k\n\n// T is.\ntype T struct {\n\ta int\n}\n\nvar b = 1\n',
    name: 'T',
    range: 'T struct {\n\ta int\n}',
    after: 'package k\n\nvar b = 1\n',
  },
  {
    title: 'with line ends of two characters',
    language: 'typescript',
    text: 'const a = "😀";\r\n\r\n// f\r\nfunction f() {}\r\n\r\nconst b = 2;\r\n',
    name: 'f',
    range: 'function f() {}',
    after: 'const a = "😀";\r\n\r\nconst b = 2;\r\n',
  },
];

test.each(deletions)('deleting in $language: $title', ({ language, text, name, range, kind, after }) => {
  const symbol = quotedSymbol(text, { name, range, ...(kind !== undefined && { kind }) });
  expect(withoutSymbol(new LineIndex(text), symbol, syntaxOf(languageId(language)))).toBe(after);
});

describe('where code is put in', () => {
  const text = [
    '#!/usr/bin/env node',
    '// licence',
    '',
    '/** Doc. */',
    '@dec',
    'function f() {}; // tail',
    'const a = 1, b = 2;',
    '',
  ].join('\n');
  const index = new LineIndex(text);
  const syntax = syntaxOf(languageId('typescript'));

  test('above a definition means above what belongs to it', () => {
    expect(lineAbove(index, quotedSymbol(text, { name: 'f', range: 'function f() {}' }), syntax)).toBe(3);
    expect(lineAbove(index, quotedSymbol(text, { name: 'a', range: 'a = 1' }), syntax)).toBe(6);
  });

  test('behind a definition means behind its semicolon and comment', () => {
    const behind = (name: string, range: string) =>
      index.positionAt(endBehind(index, quotedSymbol(text, { name, range }), syntax));
    expect(behind('f', 'function f() {}')).toEqual({ line: 5, character: 24 });
    expect(behind('b', 'b = 2')).toEqual({ line: 6, character: 19 });
  });
});
