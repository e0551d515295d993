import { describe, expect, test } from 'vitest';
import { quotedSymbol } from '../../test/support/quoted-symbol.ts';
import { languageId } from '../servers/language.ts';
import { syntaxOf } from './code-syntax.ts';
import { replaceBody } from './symbol-body.ts';

interface Case {
  readonly title: string;
  readonly language: string;
  readonly text: string;
  readonly name: string;
  /** The range of the symbol according to the server. */
  readonly range: string;
  readonly kind?: number;
  readonly code: string;
  readonly after: string;
}

const variable = 13;

const bodies: readonly Case[] = [
  {
    title: 'a function of several lines',
    language: 'typescript',
    text: 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    name: 'add',
    range: 'export function add(a: number, b: number): number {\n  return a + b;\n}',
    code: 'const sum = a + b;\nreturn sum;',
    after: 'export function add(a: number, b: number): number {\n  const sum = a + b;\n  return sum;\n}\n',
  },
  {
    title: 'a one-line function stays on its line for a one-line body',
    language: 'typescript',
    text: 'function id(a: number) { return a; }\n',
    name: 'id',
    range: 'function id(a: number) { return a; }',
    code: 'return a + 0;',
    after: 'function id(a: number) { return a + 0; }\n',
  },
  {
    title: 'a one-line function opens up for a longer body',
    language: 'go',
    text: 'func F() int { return 1 }\n\nfunc G() {\n\treturn\n}\n',
    name: 'F',
    range: 'func F() int { return 1 }',
    code: 'x := 1\nreturn x',
    after: 'func F() int {\n\tx := 1\n\treturn x\n}\n\nfunc G() {\n\treturn\n}\n',
  },
  {
    title: 'a signature over several lines, with braces in its types',
    language: 'typescript',
    text: 'class A {\n  m(\n    a: { x: number },\n  ): { y: string } {\n    return { y: "}" };\n  }\n}\n',
    name: 'm',
    range: 'm(\n    a: { x: number },\n  ): { y: string } {\n    return { y: "}" };\n  }',
    code: `// {\nreturn { y: \`\${a.x}}\` };`,
    after: `class A {\n  m(\n    a: { x: number },\n  ): { y: string } {\n    // {\n    return { y: \`\${a.x}}\` };\n  }\n}\n`,
  },
  {
    title: 'a body given with its braces',
    language: 'typescript',
    text: 'function f() {\n  return 1;\n}\n',
    name: 'f',
    range: 'function f() {\n  return 1;\n}',
    code: '{\n  return 2;\n}',
    after: 'function f() {\n  return 2;\n}\n',
  },
  {
    title: 'an arrow function with a block',
    language: 'typescript',
    text: 'export const g = async (x: number): Promise<{ y: number }> => {\n  return { y: x };\n};\n',
    name: 'g',
    range: 'g = async (x: number): Promise<{ y: number }> => {\n  return { y: x };\n}',
    kind: variable,
    code: 'return { y: x + 1 };',
    after: 'export const g = async (x: number): Promise<{ y: number }> => {\n  return { y: x + 1 };\n};\n',
  },
  {
    title: 'an arrow function with an expression',
    language: 'typescript',
    text: 'export const f: (x: number) => number = (x) => x + 1;\n',
    name: 'f',
    range: 'f: (x: number) => number = (x) => x + 1',
    kind: variable,
    code: 'x + 2;',
    after: 'export const f: (x: number) => number = (x) => x + 2;\n',
  },
  {
    title: 'a function handed to another',
    language: 'typescript',
    text: 'const f = memo((a: number) => {\n  return a;\n}, [1]);\n',
    name: 'f',
    range: 'f = memo((a: number) => {\n  return a;\n}, [1])',
    kind: variable,
    code: 'return a + 1;',
    after: 'const f = memo((a: number) => {\n  return a + 1;\n}, [1]);\n',
  },
  {
    title: 'the value of a variable',
    language: 'typescript',
    text: 'const x = a ? { b: 1 } : { c: 2 };\n',
    name: 'x',
    range: 'x = a ? { b: 1 } : { c: 2 }',
    kind: variable,
    code: '{ d: 3 }',
    after: 'const x = { d: 3 };\n',
  },
  {
    title: 'a regular expression and a template with braces in the old body',
    language: 'typescript',
    text: `function f(s: string) {\n  return s.replace(/[{]/g, \`\${{ a: "}" }.a}\`) / 2;\n}\n`,
    name: 'f',
    range: `function f(s: string) {\n  return s.replace(/[{]/g, \`\${{ a: "}" }.a}\`) / 2;\n}`,
    code: 'return s;',
    after: 'function f(s: string) {\n  return s;\n}\n',
  },
  {
    title: 'the lines of a template keep their white space',
    language: 'typescript',
    text: 'class A {\n  m() {\n    return 1;\n  }\n}\n',
    name: 'm',
    range: 'm() {\n    return 1;\n  }',
    code: 'const s = `\nraw\n  raw`;\nreturn s;',
    after: 'class A {\n  m() {\n    const s = `\nraw\n  raw`;\n    return s;\n  }\n}\n',
  },
  {
    title: 'a lifetime and a character that look like quotes',
    language: 'rust',
    text: "impl S {\n    pub fn m<'a>(&'a self) -> impl Iterator<Item = char> + 'a { std::iter::once('{') }\n}\n",
    name: 'm',
    range: "pub fn m<'a>(&'a self) -> impl Iterator<Item = char> + 'a { std::iter::once('{') }",
    code: "std::iter::once('}')",
    after:
      "impl S {\n    pub fn m<'a>(&'a self) -> impl Iterator<Item = char> + 'a { std::iter::once('}') }\n}\n",
  },
  {
    title: 'a constructor with initialisers',
    language: 'cpp',
    text: 'Foo::Foo(int a) : x{a}, y{"}"} {\n  run();\n}\n',
    name: 'Foo',
    range: 'Foo::Foo(int a) : x{a}, y{"}"} {\n  run();\n}',
    code: 'stop();',
    after: 'Foo::Foo(int a) : x{a}, y{"}"} {\n  stop();\n}\n',
  },
  {
    title: 'an indented block under a signature of several lines',
    language: 'python',
    text: 'class C:\n    @cache\n    def f(self, a: dict[str, int] = {":": 1},\n          b=lambda x: x) -> int:  # note\n        """Doc."""\n        return 1\n\n    x = 1\n',
    name: 'f',
    range:
      '@cache\n    def f(self, a: dict[str, int] = {":": 1},\n          b=lambda x: x) -> int:  # note\n        """Doc."""\n        return 1',
    code: 'if a:\n    return 2\nreturn 3\n',
    after:
      'class C:\n    @cache\n    def f(self, a: dict[str, int] = {":": 1},\n          b=lambda x: x) -> int:  # note\n        if a:\n            return 2\n        return 3\n\n    x = 1\n',
  },
  {
    title: 'a function on one line gets a block',
    language: 'python',
    text: 'def one(): return 1\n',
    name: 'one',
    range: 'def one(): return 1',
    code: 'x = 2\nreturn x',
    after: 'def one():\n    x = 2\n    return x\n',
  },
  {
    title: 'a first line that lost its indentation',
    language: 'python',
    text: 'def f():\n    return 1\n',
    name: 'f',
    range: 'def f():\n    return 1',
    code: 'x = 2\n    return x',
    after: 'def f():\n    x = 2\n    return x\n',
  },
  {
    title: 'a variable of which the server names only the name',
    language: 'python',
    text: 'X = [\n    1,\n]\nY = 2\n',
    name: 'X',
    range: 'X',
    kind: variable,
    code: '[3]',
    after: 'X = [3]\nY = 2\n',
  },
  {
    title: 'a method that ends with a word',
    language: 'ruby',
    text: 'class A\n  def m(a,\n        b)\n    a + b\n  end\nend\n',
    name: 'm',
    range: 'def m(a,\n        b)\n    a + b\n  end',
    code: 'a - b',
    after: 'class A\n  def m(a,\n        b)\n    a - b\n  end\nend\n',
  },
  {
    title: 'line ends and characters of two units',
    language: 'typescript',
    text: 'const s = "😀";\r\nfunction f() {\r\n  return "😀";\r\n}\r\n',
    name: 'f',
    range: 'function f() {\r\n  return "😀";\r\n}',
    code: 'const t = "🎉";\nreturn t;',
    after: 'const s = "😀";\r\nfunction f() {\r\n  const t = "🎉";\r\n  return t;\r\n}\r\n',
  },
  {
    title: 'a call of the function itself is a body',
    language: 'typescript',
    text: 'function f(n: number): void {\n  n;\n}\n',
    name: 'f',
    range: 'function f(n: number): void {\n  n;\n}',
    code: 'f(n - 1);\nif (n) { f(n); }',
    after: 'function f(n: number): void {\n  f(n - 1);\n  if (n) { f(n); }\n}\n',
  },
  {
    title: 'a local of the same name is a body',
    language: 'go',
    text: 'func total() int {\n\treturn 1\n}\n',
    name: 'total',
    range: 'func total() int {\n\treturn 1\n}',
    code: 'total := 2\nreturn total',
    after: 'func total() int {\n\ttotal := 2\n\treturn total\n}\n',
  },
];

const definitions: readonly Case[] = [
  {
    title: 'a function declared again',
    language: 'typescript',
    text: 'export function add(a: number): number {\n  return a;\n}\n',
    name: 'add',
    range: 'export function add(a: number): number {\n  return a;\n}',
    code: 'export async function add(a: number, b: number): Promise<number> {\n  return a + b;\n}\n',
    after: 'export async function add(a: number, b: number): Promise<number> {\n  return a + b;\n}\n',
  },
  {
    title: 'a method without any keyword',
    language: 'typescript',
    text: 'class A {\n  m(a: number) {\n    return a;\n  }\n}\n',
    name: 'm',
    range: 'm(a: number) {\n    return a;\n  }',
    kind: 6,
    code: 'm(a: number, b: number): number {\n  return a + b;\n}',
    after: 'class A {\n  m(a: number, b: number): number {\n    return a + b;\n  }\n}\n',
  },
  {
    title: 'modifiers the server left out are not doubled',
    language: 'typescript',
    text: 'export const f = (x: number) => x + 1;\n',
    name: 'f',
    range: 'f = (x: number) => x + 1',
    kind: variable,
    code: 'export const f = (x: number) => x + 2;',
    after: 'export const f = (x: number) => x + 2;\n',
  },
  {
    title: 'modifiers the code does not repeat stay',
    language: 'typescript',
    text: 'export const f = (x: number) => x + 1;\n',
    name: 'f',
    range: 'f = (x: number) => x + 1',
    kind: variable,
    code: 'const f = (x: number) => x + 2',
    after: 'export const f = (x: number) => x + 2;\n',
  },
  {
    title: 'a comment of its own takes the place of the one above',
    language: 'typescript',
    text: 'const a = 1;\n\n/**\n * Old.\n */\nfunction f() {\n  return 1;\n}\n',
    name: 'f',
    range: 'function f() {\n  return 1;\n}',
    code: '/** New. */\nfunction f() {\n  return 2;\n}',
    after: 'const a = 1;\n\n/** New. */\nfunction f() {\n  return 2;\n}\n',
  },
  {
    title: 'a Go type without its keyword in the range',
    language: 'go',
    text: '// T is.\ntype T struct {\n\ta int\n}\n',
    name: 'T',
    range: 'T struct {\n\ta int\n}',
    kind: 23,
    code: 'type T struct {\n\tb string\n}',
    after: '// T is.\ntype T struct {\n\tb string\n}\n',
  },
  {
    title: 'a Go method with its receiver',
    language: 'go',
    text: 'func (t *T) M() int { return 1 }\n',
    name: 'M',
    range: 'func (t *T) M() int { return 1 }',
    kind: 6,
    code: 'func (t *T) M() (int, error) { return 1, nil }',
    after: 'func (t *T) M() (int, error) { return 1, nil }\n',
  },
  {
    title: 'a decorated Python method',
    language: 'python',
    text: 'class C:\n    @property\n    def p(self) -> int:\n        return 1\n\n    y = 1\n',
    name: 'p',
    range: '@property\n    def p(self) -> int:\n        return 1',
    kind: 6,
    code: '@property\ndef p(self) -> str:\n    """Doc.\n\n    More.\n    """\n    return "1"\n',
    after:
      'class C:\n    @property\n    def p(self) -> str:\n        """Doc.\n\n        More.\n        """\n        return "1"\n\n    y = 1\n',
  },
  {
    title: 'a C++ function by its return type',
    language: 'cpp',
    text: 'int ns::Foo::baz() {\n  return 1;\n}\n',
    name: 'baz',
    range: 'int ns::Foo::baz() {\n  return 1;\n}',
    code: 'int ns::Foo::baz() {\n  return 2;\n}',
    after: 'int ns::Foo::baz() {\n  return 2;\n}\n',
  },
  {
    title: 'a Rust function whose comment belongs to the range',
    language: 'rust',
    text: '/// Old.\n#[inline]\npub fn f() -> i32 {\n    1\n}\n',
    name: 'f',
    range: '/// Old.\n#[inline]\npub fn f() -> i32 {\n    1\n}',
    code: '/// New.\npub fn f() -> i64 {\n    2\n}',
    after: '/// New.\npub fn f() -> i64 {\n    2\n}\n',
  },
  {
    title: 'a Python variable',
    language: 'python',
    text: 'X = [\n    1,\n]\n',
    name: 'X',
    range: 'X',
    kind: variable,
    code: 'X: list[int] = [2]',
    after: 'X: list[int] = [2]\n',
  },
];

function check({ language, text, name, range, kind, code, after }: Case): void {
  const symbol = quotedSymbol(text, { name, range, ...(kind !== undefined && { kind }) });
  expect(replaceBody(text, symbol, code, syntaxOf(languageId(language)))).toBe(after);
}

describe('a body alone leaves the signature', () => {
  test.each(bodies)('$language: $title', check);
});

describe('a definition takes the place of the definition', () => {
  test.each(definitions)('$language: $title', check);
});

test.each([
  ['typescript', 'function f(): void;', 'f'],
  ['typescript', 'interface I { m(): { a: number } }', 'm(): { a: number }'],
  ['go', 'type T int', 'T'],
])('what has no body is refused: %s %s', (language, text, range) => {
  const name = range.startsWith('m') ? 'm' : range;
  const symbol = quotedSymbol(text, { name, range: text.includes('(): void') ? text : range });
  expect(() => replaceBody(text, symbol, 'return 1;', syntaxOf(languageId(language)))).toThrow('has no body');
});
