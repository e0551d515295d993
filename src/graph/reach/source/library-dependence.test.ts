import { expect, test } from 'vitest';
import { dependentNames, mentionsAny } from './library-dependence.ts';

const optional = 'try:\n    import lib\nexcept ImportError:\n    lib = None\n';

/** The names that depend on `lib`, in order, for files of which the first ones import it. */
function check(...texts: readonly string[]): readonly string[] | undefined {
  const files = texts.map((text) => ({ text, missing: /\blib\b/.test(text) ? ['lib'] : [] }));
  const names = dependentNames(files);
  return names && [...names].sort();
}

test.each<[string, readonly string[], readonly string[] | undefined]>([
  ['an import alone', [optional], ['lib']],
  ['another name', ['import lib as other\n'], ['other']],
  ['a part of it', ['import lib.part\nfrom lib.part import (a as b, c)\n'], ['b', 'c', 'lib']],
  ['a declared constant', [`${optional}x = lib.y\nz = 1\n`], ['lib', 'x']],
  ['several targets', [`${optional}(a, b) = c = lib.y\n`], ['a', 'b', 'c', 'lib']],
  ['an annotation', [`${optional}a: "lib.T"\n`], ['a', 'lib']],
  ['a body behind an annotated result', [`${optional}def f() -> int:\n    return lib.y\n`], ['lib']],
  ['an inferred result', [`${optional}def f():\n    return lib.y\n`], ['f', 'lib']],
  ['a body on the same line', [`${optional}def f(): return lib.y\n`], ['f', 'lib']],
  ['a parameter', [`${optional}def f(a: lib.T) -> int:\n    return 1\n`], ['f', 'lib']],
  ['a decorator', [`${optional}@lib.wrap\ndef f() -> int:\n    return 1\n`], ['f', 'lib']],
  ['a base', [`${optional}class C(lib.T):\n    pass\n`], ['C', 'lib']],
  ['a field', [`${optional}class C:\n    _x: lib.T\n`], ['C', '_x', 'lib']],
  [
    'a private attribute',
    [`${optional}class C:\n    def m(self) -> None:\n        y = lib.y\n        self._x = y\n`],
    ['_x', 'lib'],
  ],
  [
    'a public attribute',
    [`${optional}class C:\n    def m(self) -> None:\n        self.a, self._b = lib.y\n`],
    ['C', '_b', 'a', 'lib'],
  ],
  [
    'an attribute from a parameter',
    [`${optional}class C:\n    def _m(self, a: lib.T) -> None:\n        self._x = a\n`],
    ['_m', '_x', 'lib'],
  ],
  [
    'an operator',
    [`${optional}class C:\n    def __add__(self, o: lib.T) -> int: ...\n`],
    ['C', '__add__', 'lib'],
  ],
  [
    'a member of a protocol',
    [`${optional}class P(Protocol):\n    def _m(self) -> lib.T: ...\n`],
    ['P', '_m', 'lib'],
  ],
  ['a name made global', [`${optional}def f() -> None:\n    global g\n    g = lib.y\n`], ['g', 'lib']],
  ['a condition', [`${optional}if lib is None:\n    a = 1\nelse:\n    b = 2\nc = 3\n`], ['a', 'b', 'lib']],
  ['a loop', [`${optional}for x in lib.y:\n    pass\n`], ['lib', 'x', 'y']],
  ['an assertion', [`${optional}assert isinstance(v, lib.T)\n`], ['T', 'isinstance', 'lib', 'v']],
  ['documentation', [`${optional}class C:\n    """Uses lib."""\n    x = 1\n`], ['lib']],
  ['a name in a local import', ['def f() -> int:\n    import lib\n    return lib.y\n'], []],
  ['a local import in an inferred result', ['def f():\n    import lib\n    return lib.y\n'], ['f']],
  ['another file', [`${optional}x = lib.y\n`, 'from one import x as z\nw = z\n'], ['lib', 'w', 'x', 'z']],
  ['another file, in any order', [`${optional}b = a\na = lib.y\n`, 'c = b\n'], ['a', 'b', 'c', 'lib']],
  ['a type in a comment', [`${optional}x = []  # type: list[lib.T]\n`], ['T', 'lib', 'list', 'type', 'x']],
  ['everything imported', ['from lib import *\n'], undefined],
  [
    'a module that answers for any name',
    [`${optional}def __getattr__(name):\n    return lib.y\n`],
    undefined,
  ],
  ['a call that may not return', [`${optional}lib.start()\n`], undefined],
  ['several statements in a line', [`${optional}x = 1; y = lib.z\n`], undefined],
  ['a text that cannot be read', [`${optional}x = (\n`], undefined],
  ['an import that is not found', ['x = "lib"\n'], undefined],
])('%s', (_, texts, names) => {
  expect(check(...texts)).toEqual(names);
});

test.each([
  ['x = value\n', true],
  ['x = "value"\n', true],
  ['"""The value."""\nx = 1\n', false],
  ['x = values\n', false],
  ['x = (\n', true],
])('whether %j mentions a name', (text, expected) => {
  expect(mentionsAny(text, new Set(['value']))).toBe(expected);
});
