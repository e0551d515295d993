import { describe, expect, test } from 'vitest';
import { scanImports } from './import-scan.ts';
import type { ReachFamily } from './reach-family.ts';

type Case = readonly [text: string, specifiers: readonly string[]];

function check(family: ReachFamily, path: string, cases: readonly Case[]): void {
  test.each(cases)('%j', (text, specifiers) => {
    expect([...scanImports(family, path, text).specifiers].sort()).toEqual([...specifiers].sort());
  });
}

describe('every way TypeScript names another module is found', () => {
  check('ecmascript', 'a.ts', [
    [`import a from './a.js';`, ['./a.js']],
    [`import{a}from"./a"`, ['./a']],
    [`import * as a from './a';`, ['./a']],
    [`import type { A } from './a';`, ['./a']],
    [`import {\n  a,\n  b,\n} from './a';`, ['./a']],
    [`import './effect.js';`, ['./effect.js']],
    [`export { a } from './a'; export * from './b'; export * as c from './c';`, ['./a', './b', './c']],
    [`const a = await import('./a.js');`, ['./a.js']],
    ['const a = await import(`./a.js`);', ['./a.js']],
    [`const a = import(/* webpackChunkName: "chunk" */ './a.js');`, ['./a.js']],
    [`import a // why\n  from /* this */ './a';`, ['./a']],
    [`const a = require('./a');`, ['./a']],
    [`import a = require('./a');`, ['./a']],
    [`let a: typeof import('./a');`, ['./a']],
    [`/** @type {import('./a').A} */ export let a;`, ['./a']],
    [`/** @import { A } from './a' */`, ['./a']],
    [`/// <reference path="globals.d.ts" />`, ['./globals.d.ts']],
    [`/// <reference types='node' />`, ['node']],
    [`import a from './with blank.js';`, ['./with blank.js']],
    [`import a from './\\u0061.js';`, ['*']],
  ]);
});

describe('what no import can be is left alone', () => {
  check('ecmascript', 'a.ts', [
    [`// a value taken from 'the old one'\nexport {};`, []],
    [`const a = Array.from('abc'); const b = Buffer.from("AAAA");`, []],
    [`const important = 'x'; const reform = 'y';`, []],
  ]);
});

test('a comment opened again and again costs no more than its length', () => {
  const text = `import ${'/* a */ '.repeat(5_000)}x`;
  expect(scanImports('ecmascript', 'a.ts', text).specifiers).toEqual([]);
});

describe('a file is global when others may depend on it without naming it', () => {
  test.each<[path: string, text: string, isGlobal: boolean]>([
    ['a.ts', `export const a = 1;`, false],
    ['a.ts', `import './b.js';\nconst a = 1;`, false],
    ['a.ts', `'use strict';import './b.js';`, false],
    ['a.ts', `/** Job. */ export const a = 1;`, false],
    ['a.ts', `const a = 1;`, true],
    ['a.ts', ``, false],
    ['a.ts', `/*\nexport const example = 1;\n*/\nconst a = 1;`, true],
    ['a.ts', 'const template = `\nexport const example = 1;\n`;', true],
    ['a.ts', `const a = import('./b.js');`, true],
    ['a.ts', `const a = require('./b.js');`, true],
    ['a.ts', `export {};\ndeclare global { interface Window { a: 1 } }`, true],
    ['a.ts', `/// <reference types="node" />\nexport {};`, true],
    ['a.ts', `/// <reference lib="dom" />\nexport {};`, true],
    ['a.ts', `/// <reference path="./b.ts" />\nexport {};`, false],
    ['a.ts', `import 'b';\ndeclare module 'b' { interface B { a: 1 } }`, true],
    ['a.d.ts', `declare const a: number;`, true],
    ['a.d.ts', `export as namespace A;\nexport const a: number;`, true],
    ['a.d.ts', `export const a: number;`, false],
    ['a.js', `const b = require('./b');\nmodule.exports = b;`, false],
    ['a.js', `exports.a = 1;`, false],
    ['a.js', `var a = 1;`, true],
    ['jsx-runtime.ts', `export function jsx() {}`, true],
  ])('%s %j: %s', (path, text, isGlobal) => {
    expect(scanImports('ecmascript', path, text).isGlobal).toBe(isGlobal);
  });
  test.each<[path: string, isGlobal: boolean]>([
    ['__builtins__.pyi', true],
    ['typings/__builtins__.pyi', true],
    ['builtins.py', false],
  ])('%s: %s', (path, isGlobal) => {
    expect(scanImports('python', path, 'x: int').isGlobal).toBe(isGlobal);
  });
});

describe('every way Python names another module is found', () => {
  check('python', 'a.py', [
    ['import a', ['a']],
    ['import a.b as c, d', ['a.b', 'd']],
    ['import a  # why', ['a']],
    ['from a import b', ['a', 'a.b']],
    ['from a.b import c as d, e', ['a.b', 'a.b.c', 'a.b.e']],
    ['from . import x', ['.', '.x']],
    ['from .import x', ['.', '.x']],
    ['from.a import x', ['.a', '.a.x']],
    ['from ..pkg.mod import (a, b)', ['..pkg.mod', '..pkg.mod.a', '..pkg.mod.b']],
    ['from ... import a', ['...', '...a']],
    ['from a import (  # first (of two)\n    b,  # why)\n    c as d,\n)', ['a', 'a.b', 'a.c']],
    ['from a import b, \\\n    c', ['a', 'a.b', 'a.c']],
    ['from a import *', ['a', 'a.*']],
    ['if TYPE_CHECKING:\n    from a import b', ['a', 'a.b']],
    ['if TYPE_CHECKING: import a', ['a']],
    ['x = 1; import a; import b', ['a', 'b']],
    ['try:\n\timport a\nexcept ImportError:\n\timport b', ['a', 'b']],
    ['raise E from error', []],
    ['def f():\n    yield from items', []],
    ['from a import b\r\nimport c\r\n', ['a', 'a.b', 'c']],
  ]);
});

describe('every way Go names another package is found', () => {
  check('go', 'a.go', [
    ['package a\nimport "fmt"', ['fmt']],
    ['package a\nimport f "fmt"\nimport _ "x.org/y"', ['fmt', 'x.org/y']],
    ['package a; import "fmt"', ['fmt']],
    ['package a\nimport (\n\t"fmt" // (why)\n\t. "x/y"\n\n\tz `x/z`\n)\nvar s = "no"', ['fmt', 'x/y', 'x/z']],
    ['package a\nimport ("fmt"; "os")', ['fmt', 'os']],
    ['package a\nimport _ "embed"\n//go:embed *.txt\nvar s string', ['embed', '//go:embed']],
  ]);
});

describe('every way C names another file is found', () => {
  check('c', 'a.c', [
    ['#include "a.h"', ['a.h']],
    ['  #  include <sys/a.h>', ['sys/a.h']],
    ['#import "a.h"\n#include_next <b.h>', ['a.h', 'b.h']],
    ['#include HEADER', ['*']],
    ['#if __has_include("a.h")', ['a.h']],
    ['int include = 1;', []],
  ]);
});
