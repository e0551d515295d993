import { describe, expect, test } from 'vitest';
import { declarationFiles } from '../../../test/support/declaration-files.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { DeclarationIndex } from './declaration-index.ts';

const signal = new AbortController().signal;

/** What the proof of one replacement says: its kind, with the affected files where it names them. */
async function proof(files: Readonly<Record<string, string>>, path: string, edit: readonly [string, string]) {
  const texts = new Map(Object.entries(files)) as Map<WorkspacePath, string>;
  const index = new DeclarationIndex(declarationFiles(texts));
  const before = texts.get(path as WorkspacePath) ?? '';
  expect(before).toContain(edit[0]);
  const after = before.replace(edit[0], edit[1]);
  const changes = new Map([[path as WorkspacePath, { before, after }]]);
  const found = await index.prove(changes, new Map(), signal);
  if (found.kind === 'declarations' && (await index.keepsTokens(changes))) return 'tokens';
  return found.kind === 'names' ? found.files.join(' ') : found.kind;
}

type Case = readonly [text: string, from: string, to: string];

/** The text is `a.ts`, which `b.ts` imports everything from. */
function check(expected: string, cases: readonly Case[]): void {
  test.each(cases)('%s: %s → %s', async (text, from, to) => {
    const files = { 'a.ts': text, 'b.ts': `import * as a from './a'; console.log(a);` };
    expect(await proof(files, 'a.ts', [from, to])).toBe(expected);
  });
}

describe('comments and blanks are no tokens', () => {
  check('tokens', [
    [`export const a = 1;`, `export`, `// why\nexport `],
    [`export const a = [1, 2];`, `1, 2`, `\n  1,\n  2,\n`],
    [`export const a = 'x';`, `'x'`, `"x"`],
  ]);
});

describe('what others cannot see leaves the declarations the same', () => {
  check('declarations', [
    [`export function f(): number { return 1; }`, `1`, `2`],
    [`export const f = (): number => 1;`, `=> 1`, `=> 2`],
    [`export const a: number = 1;`, `= 1`, `= 2`],
    [`export class C { m(): void {} }`, `{} }`, `{ let x = 1; } }`],
    [`export class C { x: number; constructor() { this.x = 1; } }`, `= 1`, `= 2`],
    [`export class C { x: number = 1; }`, `= 1`, `= 2`],
    [`export class C { set x(v: number) { f(1); } }`, `f(1)`, `f(2)`],
    [`export const o = { m(): void { f(1); } };`, `f(1)`, `f(2)`],
    [`const hidden = 1; export const a = 2;`, `hidden = 1`, `hidden = 'x'`],
    [`let x: string | number = 1; export function f(): void {}`, `= 1`, `= 'x'`],
    [`f(1); export interface A { x: 1 }`, `f(1)`, `f(2)`],
    [`export function f(source: string): string { return source; } g({ source }, f, 1);`, `1`, `2`],
    [`export const f = (a: number, { b = 1 } = {}) => a + b; g(f, a, b, 3);`, `3`, `4`],
    [`export function F(): void {} F.prototype.x = function () { return 1; };`, `1`, `2`],
    [`export function F(): void {} F.prototype = {}; F.prototype.y = 1;`, `= 1`, `= 'x'`],
    [`const x = g(); export const y = x; h(() => { if (x === 1) throw x; });`, `=== 1`, `=== 2`],
    [`let x: 1 | 2 = g(); if (x === 1) throw x; export function f() { return x; }`, `=== 1`, `=== 2`],
    [`class A { static x: 1 | 2 = 1 } if (A.x === 1) h(1); export class B extends A {}`, `h(1)`, `h(2)`],
    [`const x = g(); export const y = x; const o = { m: 1 }; o.m = x; h(1);`, `h(1)`, `h(2)`],
    [`export const y = [undefined]; if (h === undefined) h(1);`, `h(1)`, `h(2)`],
    [`export class C { constructor(private a: number) {} } g(C, a, 1);`, `1)`, `2)`],
    [`export const x: string | number = g(); if (x === 1) h(1);`, `h(1)`, `h(2)`],
    [`export const f = ((a) => g(a)) as F;`, `g(a)`, `h(a)`],
    [`export const f = (<F>((a) => g(a)));`, `g(a)`, `h(a)`],
    [`const i: I = () => 1; export const f = i as unknown as F;`, `=> 1`, `=> 2`],
    [`export class C { x = g(1) as X; }`, `1`, `2`],
    [`const x: string | number = 1; export default x;`, `= 1`, `= 'x'`],
    [`const f: F = () => { g(1); }; export default f;`, `g(1)`, `g(2)`],
    [`let x: string | number = 1; export = x;`, `= 1`, `= 'x'`],
  ]);
});

describe('what others can see is a changed name', () => {
  check('b.ts', [
    [`export function f(): number { return 1; }`, `number`, `string`],
    [`export function f() { return 1; }`, `1`, `2`],
    [`export function f(a = 1): void {}`, `1`, `2`],
    [`export const a = 1;`, `1`, `2`],
    [`export class C<T> { private x?: T; m(): void {} }`, `x?: T`, `x?: (t: T) => void`],
    [`export class C { #x: number = 1; }`, `number`, `string`],
    [`export class C { protected x: number = 1; }`, `number`, `string`],
    [`export class C { x; constructor() { this.x = 1; } }`, `= 1`, `= 'x'`],
    [`export class C { static x; static { this.x = 1; } }`, `= 1`, `= 'x'`],
    [`export class C { constructor(private x: number) {} }`, `number`, `string`],
    [`export class C { get x() { return 1; } }`, `1`, `'x'`],
    [`export abstract class C { m(): void {} }`, `abstract `, ``],
    [`export enum E { A = 1 }`, `1`, `2`],
    [`export const enum E { A, B }`, `A, B`, `B, A`],
    [`export namespace N { export function f(): void { g(1); } }`, `1`, `2`],
    [`export function f(x: unknown): asserts x is string {}`, `string`, `number`],
    [`export function f(a: 1): void; export function f(a: 2): void; export function f() {}`, `a: 2`, `a: 3`],
    [`export interface A { x: 1 } export interface A { y: 1 }`, `y: 1`, `y: 2`],
    [`interface A { x: 1 } export type B = A;`, `x: 1`, `x: 2`],
    [`export const o = { x: 1 } as const;`, ` as const`, ``],
    [`export const o = { x: 1 } satisfies object;`, `1`, `2`],
    [`export const s: unique symbol = Symbol();`, `unique symbol`, `symbol`],
    [`const k = 'a'; export interface A { [k]: 1 }`, `'a'`, `'b'`],
    [`export default { x: 1 };`, `1`, `2`],
    [`const x = g(1); export default x;`, `1`, `2`],
    [`const x: 1 = 1, y: 2 = 2; export default x;`, `default x`, `default y`],
    [`export default function () { return 1; }`, `1`, `2`],
    [`const a = 1, b = 2; export { a };`, `{ a }`, `{ b as a }`],
    [`const a = 1; export { a };`, `{ a }`, `{ a as b }`],
    [`export const a = 1;`, `export `, `export const z = 1; export `],
    [`export const a = 1, b = 2;`, `, b = 2`, ``],
    [`namespace N { export const x = 1 } export import X = N.x;`, `1`, `2`],
    [`export class C { @d(1) m(): void {} }`, `1`, `2`],
    [`export const f = ((a) => g(a)) as F;`, `as F`, `as G`],
    [`const i = 1; export const f = g() as typeof i;`, `1`, `2`],
    [`export const o = { x: 1 } as const;`, `1`, `2`],
    [`export const o = { x: g(1) as X };`, `1`, `2`],
    [`export const { x } = g(1) as X;`, `1`, `2`],
    [`export const f = (() => g(1) as X);`, `1`, `2`],
  ]);
});

describe('what is assigned elsewhere in the file belongs to the type', () => {
  check('b.ts', [
    [`export function f(): void {} f.x = 1;`, `= 1`, `= 'x'`],
    [`export const f = (): void => {}; f.x = 1;`, `= 1`, `= 'x'`],
    [`export function f(): void {} function g(): void { f.x = 1; }`, `= 1`, `= 'x'`],
    [`export function f(): void { f.x = 1; }`, `= 1`, `= 'x'`],
    [`const x = g(); (() => { if (x === 1) throw x; })(); export const y = x;`, `=== 1`, `=== 2`],
    [`const x = g(); (function () { h(x); })?.(); export const y = x;`, `h(x)`, `i(x)`],
    [`let x = g(); h(() => { x = 1; }); export const y = x ? () => x : 0;`, `= 1`, `= 2`],
    [`const x: 1 | 2 = g(); if (x === 1) throw x; export const f = () => x;`, `=== 1`, `=== 2`],
    [
      `const x: 1 | 2 = g(); if (x === 1) throw x; export const f = function () { return x; };`,
      `=== 1`,
      `=== 2`,
    ],
    [`const x: 1 | 2 = g(); if (x === 1) throw x; export const o = { m() { return x; } };`, `=== 1`, `=== 2`],
    [`const x: 1 | 2 = g(); if (x === 1) throw x; export class C { static x = x; }`, `=== 1`, `=== 2`],
    [`class A { static x: 1 | 2 = 1 } if (A.x === 1) throw 0; export const y = A.x;`, `=== 1`, `=== 2`],
    [
      `namespace N { export let x: 1 | 2 = 1 } if (N.x === 1) throw 0; export const y = N.x;`,
      `=== 1`,
      `=== 2`,
    ],
    [`class A { static x: 1 | 2 = 1 } if (A.x === 1) throw 0; export let y: typeof A.x;`, `=== 1`, `=== 2`],
    [`export function F(): void {} F.y = g(); if (F.y === 1) throw 0; F.x = F.y;`, `=== 1`, `=== 2`],
    [`h(() => { x = 1; }); export const y = x === 2 ? () => x : 0;`, `x = 1`, `1`],
    [`const x = g(); h(x); export const y = x;`, `h(x)`, `i(x)`],
    [`let x: 1 | 2 = g(); const z = (x = 1) as number; export const y = x;`, `= 1)`, `= 2)`],
    [`export function f(): void {} const z = (f.x = 1) as number;`, `= 1`, `= 'x'`],
    [`export function F(): void {} F.prototype = { x: 1 };`, `1`, `'x'`],
    [`export function F(): void {} F['prototype'] = { x: 1 };`, `1`, `'x'`],
    [`const x: string | number = 1; export const y = x;`, `= 1`, `= 'x'`],
    [`const x: string | number = 1; export default { x };`, `= 1`, `= 'x'`],
    [`let x: string | number = 1; x = 2; export const y = x;`, `= 2`, `= 'x'`],
    [`let x: string | number = g(); if (x === 1) throw x; export const y = x;`, `=== 1`, `=== 2`],
    [
      `let x: string | number = g(); if (x === 1) throw x; export const y = [(x: 1) => x, x];`,
      `=== 1`,
      `=== 2`,
    ],
    [
      `let x: string | number = 1; x = 's'; export const y = x;`,
      `x = 's'; export const y = x;`,
      `export const y = x; x = 's';`,
    ],
    [
      `let x: string | number = g(); export const y = x === 1 ? () => x : 0; export function s(): void { x; }`,
      `{ x; }`,
      `{ x = 2; }`,
    ],
  ]);
});

test('the tag of a member belongs to its declaration', async () => {
  const files = {
    'a.ts': `export interface A { /** @deprecated */ x: 1 } export const b = 2;`,
    'c.ts': `import { A } from './a';`,
    'd.ts': `import { b } from './a';`,
  };
  expect(await proof(files, 'a.ts', ['/** @deprecated */ ', ''])).toBe('c.ts');
  expect(await proof(files, 'a.ts', ['@deprecated */', '@deprecated */ w: 0;'])).toBe('c.ts');
});

describe('what may change any file has no proof', () => {
  check('none', [
    [`export const a = 1;`, `= 1`, `= (`],
    [`export {}; declare global { interface A { x: 1 } }`, `1`, `2`],
    [`export {}; declare module 'm' { interface A { x: 1 } }`, `1`, `2`],
    [`const a = 1;`, `1`, `2`],
    [`export const a = 1;`, `export `, ``],
    [`const a = { x: 1 }; export = a;`, `1`, `2`],
    [`let x: string | number = 1; export = { x };`, `= 1`, `= 'x'`],
    [`let x: string | number = g(); if (x === 1) throw x; export = { x };`, `=== 1`, `=== 2`],
    [`/// <reference types="a" />\nexport const a = 1;`, `"a"`, `"b"`],
    [`/** @jsx h */\nexport const a = 1;`, `jsx h`, `jsx g`],
    [`export * from './c';`, `'./c'`, `'./d'`],
    [`/** @deprecated */\nexport const a = 1;`, `@deprecated`, ``],
  ]);
});

describe('a text that is nested too deeply has no proof, and ends nothing', () => {
  const sum = `export const a = ${'1 + '.repeat(20_000)}1;`;
  const type = `export type A = ${'{ a: '.repeat(10_000)}1${' }'.repeat(10_000)};`;
  test.each([sum, type])('%#', async (text) => {
    expect(await proof({ 'a.ts': text }, 'a.ts', ['1', '2'])).toBe('none');
    const files = { 'a.ts': 'export const a = 1;', 'b.ts': `import { a } from './a'; ${text}` };
    expect(await proof(files, 'a.ts', ['1', '2'])).toBe('none');
  });
});
