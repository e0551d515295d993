import fc from 'fast-check';
import { expect, test } from 'vitest';
import { haveSamePythonTokens, pythonLines } from './python-lines.ts';
import { haveSamePythonSurface } from './python-surface.ts';

const tokens: readonly [what: string, before: string, after: string, same: boolean][] = [
  ['a comment', 'x = 1\n', '# why\nx = 1  # how\n', true],
  ['blank lines and line ends', 'x = 1\ny = 2\n', 'x = 1\r\n\r\n\r\ny = 2', true],
  ['a line broken inside brackets', 'f(1, 2)\n', 'f(1,\n  2)\n', true],
  ['a continued line', 'x = 1 + 2\n', 'x = 1 + \\\n  2\n', true],
  ['a value', 'x = 1\n', 'x = 2\n', false],
  ['an indent', 'if a:\n  b\nc\n', 'if a:\n  b\n  c\n', false],
  ['a docstring', '"""a"""\n', '"""b"""\n', false],
  ['a hash inside a string', 'x = "#a"\n', 'x = "#b"\n', false],
  ['a hash inside a long string', 'x = """\n# a\n"""\n', 'x = """\n# b\n"""\n', false],
  ['a blank inside a string', 'x = "a b"\n', 'x = "a  b"\n', false],
  ['a directive to the checker', 'x = 1\n', 'x = 1  # type: ignore\n', false],
  ['another directive', 'x = 1  # pyright: ignore\n', 'x = 1\n', false],
  ['a directive after a comment', 'x = 1  # why\n', 'x = 1  # why # type: ignore[x]\n', false],
  ['a type comment', 'x = []  # type: list[int]\n', 'x = []  # type: list[str]\n', false],
  ['a hash inside a template', 'x = f"{a}#1"\n', 'x = f"{a}#2"\n', false],
  ['a string inside a template', 'x = f"{a["#1"]}"\n', 'x = f"{a["#2"]}"\n', false],
  ['a quote as fill', 'x = f"{a:\'>10}" # a\n', 'x = f"{a:\'>10}" # b\n', true],
  ['a raw string that ends in an escape', "x = r'\\' # a'\n", "x = r'\\' # b'\n", false],
  ['a text that cannot be read', 'x = "a\n# a\n', 'x = "a\n# b\n', false],
  ['a bracket that does not end', 'x = (1\n# a\n', 'x = (1\n# b\n', false],
];

test.each(tokens)('tokens: %s', (_, before, after, same) => {
  expect(haveSamePythonTokens(before, after)).toBe(same);
  expect(haveSamePythonTokens(after, before)).toBe(same);
});

test('comments at the end of any lines leave the tokens as they are', () => {
  const line = fc.constantFrom(
    'x = 1',
    'def f(a: int) -> int:',
    '    return "#"',
    "y = f'{x}'",
    '',
    'z = (1, 2)',
  );
  const comment = fc.constantFrom('', '# a', '#', ' # "b\'', '# {(');
  fc.assert(
    fc.property(fc.array(fc.tuple(line, comment)), (lines) => {
      const plain = lines.map(([code]) => code).join('\n');
      const commented = lines.map(([code, more]) => code + more).join('\n');
      expect(pythonLines(commented)).toEqual(pythonLines(plain));
    }),
  );
});

const surfaces: readonly [what: string, before: string, after: string, same: boolean][] = [
  [
    'the body of an annotated function',
    'def f() -> int:\n  return 1\n',
    'def f() -> int:\n  a = 2\n  return a\n',
    true,
  ],
  ['the body of one without', 'def f():\n  return 1\n', 'def f():\n  return "a"\n', false],
  ['its annotation', 'def f() -> int:\n  return 1\n', 'def f() -> str:\n  return 1\n', false],
  ['a parameter', 'def f(a: int) -> int:\n  return 1\n', 'def f(a: str) -> int:\n  return 1\n', false],
  ['what follows', 'def f() -> int:\n  return 1\nx = 1\n', 'def f() -> int:\n  return 1\nx = ""\n', false],
  [
    'a signature over several lines',
    'def f(\n  a: int,\n) -> dict[str, int]:\n  return {}\n',
    'def f(\n  a: int,\n) -> dict[str, int]:\n  return {"a": 1}\n',
    true,
  ],
  ['a body on the line', 'def f() -> int: return 1\n', 'def f() -> int: return 2\n', false],
  [
    'an attribute that a method declares',
    'class A:\n  def f(self) -> None:\n    self.x = 1\n',
    'class A:\n  def f(self) -> None:\n    self.x = ""\n',
    false,
  ],
  [
    'an attribute among other targets',
    'class A:\n  def f(me) -> None:\n    me.x, y = 1, 2\n',
    'class A:\n  def f(me) -> None:\n    me.x, y = "", 2\n',
    false,
  ],
  [
    'an attribute that a loop declares',
    'class A:\n  def f(self) -> None:\n    for self.x in [1]: print(1)\n',
    'class A:\n  def f(self) -> None:\n    for self.x in [""]: print(1)\n',
    false,
  ],
  [
    'an attribute that is only read',
    'class A:\n  def f(self) -> int:\n    return self.x + 1\n',
    'class A:\n  def f(self) -> int:\n    return self.x + 2\n',
    true,
  ],
  [
    'a method that never gets far',
    'class A(Protocol):\n  def f(self) -> int:\n    x = 1\n    raise NotImplementedError(x)\n',
    'class A(Protocol):\n  def f(self) -> int:\n    x = 1\n    return x\n',
    false,
  ],
  [
    'an attribute that a generic method declares',
    'class A:\n  def f[T](self, x: list[T]) -> None:\n    self.x = x\n',
    'class A:\n  def f[T](self, x: list[T]) -> None:\n    self.x = 1\n',
    false,
  ],
  [
    'a global name',
    'def f() -> None:\n  global x\n  x = 1\n',
    'def f() -> None:\n  global x\n  x = ""\n',
    false,
  ],
  [
    'an async function that begins to yield',
    'async def f() -> Any:\n  print(1)\n',
    'async def f() -> Any:\n  yield 1\n',
    false,
  ],
  [
    'a method that gets an implementation',
    'class A(Protocol):\n  def f(self) -> int: \n    ...\n',
    'class A(Protocol):\n  def f(self) -> int: \n    return 1\n',
    false,
  ],
  [
    'a method that loses its implementation',
    'class A(Protocol):\n  def f(self) -> int: \n    return 1\n',
    'class A(Protocol):\n  def f(self) -> int: \n    raise NotImplementedError("x")\n',
    false,
  ],
  [
    'an import inside a body',
    'def f() -> int:\n  import a\n  return 1\n',
    'def f() -> int:\n  return 1\n',
    true,
  ],
];

test.each(surfaces)('surface: %s', (_, before, after, same) => {
  expect(haveSamePythonSurface(before, after)).toBe(same);
  expect(haveSamePythonSurface(after, before)).toBe(same);
});
