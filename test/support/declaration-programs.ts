/**
 * Small programs that compile, each around one way in which a file can see another's declarations.
 *
 * A line `//= path` begins a file.
 */
export interface DeclarationProgram {
  readonly about: string;
  /** An edit that changes what the checker says about another file. */
  readonly breaking: Replacement;
  readonly files: Readonly<Record<string, string>>;
  /** What each link leads to, relative to the directory it lies in. */
  readonly links?: Readonly<Record<string, string>>;
}

interface Replacement {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

export function program(
  about: string,
  breaking: Replacement,
  text: string,
  options: object = {},
): DeclarationProgram {
  const parts = text.split('//= ').slice(1);
  const sources = parts.map((part): [string, string] => {
    const [path = '', ...lines] = part.split('\n');
    return [path.trim(), lines.join('\n')];
  });
  return { about, breaking, files: { 'tsconfig.json': config(options), ...Object.fromEntries(sources) } };
}

function config(options: object): string {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, declaration: true, target: 'es2022', lib: ['es2022'], types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', ...options },
  };
  return JSON.stringify({ compilerOptions, include: ['.'] });
}

export const declarationPrograms: readonly DeclarationProgram[] = [
  program(
    'members of classes, private ones included',
    { path: 'base.ts', from: 'private inner?: T;', to: 'private inner?: (t: T) => void;' },
    `
//= base.ts
export class Box<T> { private inner?: T; protected tag: string = 'a'; #secret = 1; static count = 0; get(): T | undefined { return this.inner; } constructor(readonly label: string, protected size?: number) {} }
export abstract class Shape { abstract area(): number; name = 'shape'; describe() { return this.name + this.area(); } }
export class Loose { x; y; constructor(a: number) { this.x = a; this.y = 'k'; } set z(v: number) { this.x = v; } get z() { return this.x; } }
//= mid.ts
import { Box, Shape } from './base';
export class Sub<T> extends Box<T> { peek() { return this.tag; } }
export class Circle extends Shape { constructor(public r: number) { super(); } area() { return this.r * 2; } }
export const make = <T,>(v: T) => new Sub<T>('l');
//= use.ts
import { make, Circle } from './mid';
import type { Box } from './base';
import { Loose } from './base';
const b: Box<string | number> = make<string>('x') as Box<string>;
const n: string = new Circle(1).describe();
const w: string | undefined = make('q').get();
const z: number = new Loose(1).z; const y: string = new Loose(2).y; const x: number = new Loose(3).x;
export function widen(c: Box<string>): Box<string | number> { return c; }
//= far.ts
import { widen } from './use';
import * as mid from './mid';
const r = widen(mid.make('a')); const q: string | number | undefined = r.get();
const area: number = new mid.Circle(2).area();
`,
  ),
  program(
    'enumerations and their values',
    { path: 'e.ts', from: 'Red = 1', to: 'Red = 7' },
    `
//= e.ts
export enum Color { Red = 1, Green, Blue = Red + 4 }
export const enum Dir { Up = 'u', Down = 'd' }
const base = 3; export enum Calc { A = base, B }
export type Names = keyof typeof Color;
//= barrel.ts
export * from './e';
export { Color as Colour } from './e';
export * as all from './e';
//= use.ts
import { Colour, Dir, Calc } from './barrel';
import { all } from './barrel';
const r: 1 = Colour.Red; const d: 'u' = Dir.Up as 'u'; const five: 5 = Colour.Blue; const three: 3 = Calc.A; const g: 2 = all.Color.Green;
const n: all.Names = 'Red';
function f(c: Colour): string { switch (c) { case Colour.Red: return 'r'; case Colour.Green: return 'g'; case Colour.Blue: return 'b'; } }
export const picked = Colour.Red;
//= far.ts
import { picked } from './use';
const one: 1 = picked;
`,
  ),
  program(
    'types inferred through four files',
    { path: 'one.ts', from: "b: 'x' }", to: 'b: 2 }' },
    `
//= one.ts
export interface Item { id: number; name?: string }
export function load(id: number) { return { id, name: 'n' + id, list: [id] }; }
export const limit = 10;
const hidden = { a: 1, b: 'x' };
export function shown() { return hidden; }
//= two.ts
import { load, limit, shown } from './one';
export const wrap = () => ({ ...load(limit), extra: shown().b });
export async function later() { return wrap(); }
export const pick = <K extends keyof ReturnType<typeof wrap>>(k: K) => wrap()[k];
//= three.ts
import { later, pick } from './two';
export const chain = later().then((v) => v.list.map((x) => x + 1));
export const picked = pick('extra');
//= four.ts
import { chain, picked } from './three';
import type { Item } from './one';
const c: Promise<number[]> = chain; const p: string = picked;
const item: Item = { id: 1 };
//= five.ts
import { load } from './one';
const i: import('./one').Item = load(1);
type L = ReturnType<typeof import('./two').wrap>['extra']; const l: L = 'a';
`,
  ),
  program(
    'types narrowed by statements and assignments',
    { path: 's.ts', from: "a = 'later'", to: 'a = 2' },
    `
//= s.ts
declare function rand(): string | number;
function assertString(x: unknown): asserts x is string { if (typeof x !== 'string') throw new Error('no'); }
function fail(): never { throw new Error('x'); }
let a: string | number = 1;
const b: string | number = rand();
let c: string | number = rand();
assertString(c);
export const fromA = a;
a = 'later';
export const fromLater = a;
if (typeof b === 'string') fail();
export const fromB = b;
export const fromC = c;
let d: string | number = rand();
export const closure = typeof d === 'string' ? () => d : () => 0;
export function setD(v: number): void { d = d; void v; }
let auto; auto = 5; export const fromAuto = auto; auto = 'x';
export let open: string | number = 1;
const e: { k: string | number } = { k: 1 };
e.k = 'x'; export const fromE = e.k;
//= use.ts
import { fromA, fromLater, fromB, fromC, closure, fromAuto, open, fromE } from './s';
const x1: number = fromA; const x2: string = fromLater; const x3: number = fromB; const x4: string = fromC;
const x5: string | number = closure(); const x6: number = fromAuto; const x7: string | number = open; const x8: string = fromE;
//= pass.ts
import * as s from './s';
export const pair = [s.fromA, s.fromB] as const;
//= far.ts
import { pair } from './pass';
const [m, n]: readonly [number, number] = pair;
`,
  ),
  program(
    'narrowing in functions, by functions called in place, and of members',
    { path: 's.ts', from: 'if (b === 1) throw 0;', to: 'if (b === 2) throw 0;' },
    `
//= s.ts
declare function pick(): 1 | 2;
declare function later(run: () => void): void;
declare function note(...values: unknown[]): void;
function need(x: unknown): asserts x is 2 { if (x !== 2) throw 0; }
const a = pick(), b = pick(), c = pick();
(() => { if (a === 1) throw 0; })();
if (b === 1) throw 0;
later(() => { if (c === 1) throw 0; note(a, b); });
export const fromA = a;
export const arrow = () => b;
export const expression = function (b1 = b) { return b1; };
export const object = { method() { return b; }, get value() { return b; } };
export function declared(first = b) { return [first, b, () => b] as const; }
export class Held { static all = b; one = b; method() { return b; } static { note(b); } }
const isOne = c === 1;
if (isOne) throw 0;
export const fromC = c;
class Limits { static low: 1 | 2 = pick(); static high: 1 | 2 = pick(); }
need(Limits.low);
export const low = Limits.low;
export class Sub extends Limits { declare own: typeof Limits.high; }
namespace Space { export let mode: 1 | 2 = pick(); }
if (Space.mode === 1) throw 0;
export const mode = Space.mode;
export function Ext(): void {}
Ext.first = pick();
if (Ext.first === 1) throw 0;
Ext.second = Ext.first;
export function Proto(): void {}
Proto.prototype.member = function () { return b; };
Proto.prototype.other = pick();
export const helper = (source: number, { limit = 1 } = {}): number => source + limit;
note(() => helper(1), declared, [1].map((source) => source));
let kept = pick();
later(() => { kept = 2; });
export const keeps = kept === 2 ? () => kept : () => 2 as const;
//= use.ts
import { fromA, arrow, expression, object, declared, Held, fromC, low, Sub, mode, Ext, Proto, helper, keeps } from './s';
const u1: 2 = fromA; const u2: 2 = arrow(); const u3: 1 | 2 = expression(); const u4: 2 = object.method(); const u5: 2 = object.value;
const u6: 1 | 2 = declared()[1]; const u7: 1 | 2 = Held.all; const u8: 1 | 2 = new Held().method(); const u9: 2 = fromC; const v1: 2 = low;
const v2: 1 | 2 = new Sub().own; const v3: 2 = mode; const v4: 1 | 2 = Ext.second; const v5: void = Proto(); const v6: number = helper(1); const v7: 1 | 2 = keeps();
type Exact<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const w1: Exact<typeof Ext.second, 2> = true; const w2: Exact<ReturnType<typeof declared>[1], 1 | 2> = true;
const w3: Exact<typeof Held.all, 1 | 2> = true; const w4: Exact<Sub['own'], 1 | 2> = true;
//= pass.ts
import * as s from './s';
export const pair = [s.fromA, s.mode] as const;
//= far.ts
import { pair } from './pass';
const [m, n]: readonly [2, 2] = pair;
`,
  ),
  program(
    'members assigned to functions',
    { path: 'f.ts', from: '{ x: 1 }', to: "{ x: 'q' }" },
    `
//= f.ts
export function f(a: number): number { return a; }
f.meta = { x: 1 };
f.other = 'a';
export const g = (): void => {};
g.deep = 1;
export const h = function () { h.self = 2; };
h.self = 1;
export function outer(): void { f.other = 'b'; }
export namespace f { export const ns = 5; }
//= use.ts
import { f, g, h } from './f';
const a: number = f.meta.x; const b: string = f.other; const c: number = g.deep; const d: number = h.self; const e: number = f.ns;
//= d.ts
import { f } from './f';
export default f;
//= far.ts
import whatever from './d';
const z: { x: number } = whatever.meta; const y: number = whatever(1);
`,
  ),
  program(
    'names passed on by other modules',
    { path: 'a.ts', from: 'alpha = 1', to: "alpha = 'one'" },
    `
//= a.ts
export const alpha = 1; export type Shared = { a: number }; export interface Only { q: string } export default class Def { m(): number { return 1; } }
//= b.ts
export const beta = 'b'; export type Other = { b: string }; const shared = 2; export { shared as gamma };
//= index.ts
export * from './a'; export * from './b'; export { default as Def, alpha as first } from './a'; export type { Only as Just } from './a';
import * as everything from './a'; export { everything };
//= use.ts
import { alpha, beta, gamma, Def, first, everything, type Just, type Shared } from './index';
const a: number = alpha; const b: string = beta; const c: number = gamma; const d: number = new Def().m(); const e: 1 = first; const f: number = everything.alpha;
const j: Just = { q: 'x' }; const s: Shared = { a: 1 };
//= dyn.ts
export async function go() { const m = await import('./index'); return m.alpha + m.first; }
const t: typeof import('./b') = null!; const g: number = t.gamma;
//= far.ts
import { go } from './dyn';
const n: Promise<number> = go();
//= whole.ts
import * as all from './index';
export const { alpha, beta } = all; export type Keys = keyof typeof all;
//= wide.ts
import type { Keys } from './whole';
const k: Keys = 'gamma'; const k2: Keys = 'alpha';
`,
  ),
  program(
    'augmentations and globals',
    { path: 'lib.ts', from: '{ base: number }', to: '{ basis: number }' },
    `
//= lib.ts
export interface Registry { base: number } export interface Plain { p: string } export type Key = keyof Registry; export function reg(k: Key): void {}
export interface Extra { e: string }
//= plug.ts
import type { Extra } from './lib';
declare module './lib' { interface Registry { plug: Extra } }
declare global { interface Window0 { w: Extra; v: number } }
export {};
//= script.d.ts
interface GlobalThing { t: import('./lib').Plain; n: number }
declare module 'virtual:thing' { export const thing: import('./lib').Plain; }
//= use.ts
import { reg, type Registry } from './lib';
import { thing } from 'virtual:thing';
reg('plug'); reg('base'); declare const r: Registry; const e: string = r.plug.e;
declare const w: Window0; const s: string = w.w.e; declare const g: GlobalThing; const p: string = g.t.p; const q: string = thing.p; const nn: number = g.n;
`,
  ),
  program(
    'overloads and merged declarations',
    { path: 'o.ts', from: '(x: string): 2', to: '(x: string): 3' },
    `
//= o.ts
export function conv(a: string): number; export function conv(a: number): string; export function conv(a: string | number): string | number { return a as never; }
export interface Merge { (x: string): 1; m: number } export interface Merge { (x: string): 2; k: string }
export declare const merged: Merge;
export type Cond<T> = T extends string ? { s: T } : T extends number ? { n: T } : never;
export class Over { run(a: string): string; run(a: number): number; run(a: unknown) { return a as never; } }
//= p.ts
import { conv, merged, type Cond, Over } from './o';
export const c1 = conv('a'); export const c2 = conv(1); export const m1 = merged('q'); export type CS = Cond<'z'>; export const o1 = new Over().run(1);
//= q.ts
import { c1, c2, m1, o1, type CS } from './p';
const a: number = c1; const b: string = c2; const c: 2 = m1; const d: CS = { s: 'z' }; const e: number = o1;
`,
    { isolatedModules: true },
  ),
  program(
    'variance and conditional types',
    { path: 'v.ts', from: '{ h: T }', to: '{ h: T[] }' },
    `
//= v.ts
export interface Producer<out T> { make(): T } export interface Consumer<in T> { take(t: T): void }
export class Cell<T> { constructor(private v: T) {} read(): T { return this.v; } }
export type Mapper<T> = { [K in keyof T]: (v: T[K]) => void };
export type Rec<T> = { next?: Rec<T[]>; v: T };
type Hidden<T> = { h: T }; export type Shown<T> = Hidden<T> & { s: 1 };
export interface Visitor<R = Hidden<string>> { visit(): R }
//= w.ts
import type { Producer, Consumer, Cell, Mapper, Shown, Visitor } from './v';
export type P = Producer<string>; export type M = Mapper<{ a: number; b: string }>;
export const up = (c: Cell<string>): Cell<unknown> => c;
export function cons(c: Consumer<string | number>): Consumer<string> { return c; }
export type S = Shown<number>; export declare const vis: Visitor;
//= x.ts
import { up, cons, vis, type M, type P, type S } from './w';
declare const p: P; const s: string = p.make(); declare const m: M; m.a(1); m.b('x'); declare const sh: S; const n: number = sh.h; const q: string = vis.visit().h;
export { up as lifted };
//= y.ts
import { lifted } from './x';
const r: unknown = lifted(null!).read();
`,
  ),
  program(
    'declarations with unusual forms',
    { path: 't.ts', from: "key = 'dyn'", to: "key = 'other'" },
    `
//= t.ts
const key = 'dyn'; export const sym: unique symbol = Symbol('s');
export interface Keyed { [key]: number; [sym]: string; readonly ro: 1; opt?: 2 }
export const frozen = { a: [1, 'b'], n: { d: true } } as const; export const sat = { a: 1, b: 'x' } satisfies Record<string, number | string>;
export const tpl = \`x-\${key}\` as const; export type T1 = typeof frozen.a[0]; export const arr = [1, 2, 3].map((x) => ({ x, key }));
export const { p1, nested: { p2 = 4 } } = { p1: 'a', nested: {} as { p2?: number } }; export const [h1, ...rest] = [1, 'a', true] as const;
export function isStr(x: unknown) { return typeof x === 'string'; } export function gen() { return function* () { yield key; }; }
var lateVar = 1; export { lateVar }; if (lateVar) { var blockVar = 'bv'; } export { blockVar };
export const cls = class { k = key; m() { return this.k; } }; export const obj = { get g() { return key; }, set g(v) {}, m(): void {}, [key]: 1 };
export const later = () => usedLater; const usedLater = { u: 1 };
//= u.ts
import { sym, frozen, sat, tpl, arr, p1, p2, h1, rest, isStr, gen, lateVar, blockVar, cls, obj, later, type Keyed, type T1 } from './t';
declare const k: Keyed; const n: number = k.dyn; const s: string = k[sym]; const f: 1 = frozen.a[0]; const sa: string = sat.b; const t: 'x-dyn' = tpl; const a: number = arr[0]!.x; const p: string = p1; const q: number = p2; const h: 1 = h1; const r: 'a' = rest[0];
declare const un: string | number; if (isStr(un)) { const st: string = un; } const ge: string | undefined = gen()().next().value as string; const lv: number = lateVar; const bv: string | undefined = blockVar; const ck: string = new cls().m(); const og: string = obj.g; const lu: number = later().u; const t1: T1 = 1; const od: number = obj.dyn;
//= v.ts
import def, { type Keyed as K2 } from './w';
const w: number = def.dyn; declare const k2: K2; const ww: 1 = k2.ro;
//= w.ts
import type { Keyed } from './t';
const inst: Keyed = null!; export default inst; export type { Keyed };
`,
  ),
  program(
    'a JSX runtime that no file names',
    { path: 'rt/jsx-runtime.ts', from: 'el: true', to: 'el: false' },
    `
//= rt/jsx-runtime.ts
export namespace JSX { export interface Element { el: true } export interface IntrinsicElements { div: { id?: string }; span: { n: number } } export interface ElementChildrenAttribute { children: {} } }
export function jsx(t: any, p: any): JSX.Element { return null!; } export const jsxs = jsx; export const Fragment = 'f';
//= comp.tsx
export function Hello(props: { name: string; n?: number }) { return <div id={props.name} />; }
export const Wrap = (p: { children?: any }) => <>{p.children}</>;
//= app.tsx
import { Hello, Wrap } from './comp';
export const app = <Wrap><Hello name="x" /><span n={1} /></Wrap>;
//= far.ts
import { app } from './app';
const t: true = app.el;
//= plain.tsx
const only = <div id="q" />; export {};
`,
    { jsx: 'react-jsx', jsxImportSource: 'rt', paths: { 'rt/jsx-runtime': ['./rt/jsx-runtime.ts'] } },
  ),
  program(
    'JavaScript between TypeScript files',
    { path: 't.ts', from: '{ o: number }', to: '{ o: string }' },
    `
//= t.ts
export interface Opt { o: number } export const val = 1; export function fn(o: Opt): string { return ''; }
//= j.js
import { val, fn } from './t';
/** @type {import('./t').Opt} */ export const opt = { o: val };
/** @param {import('./t').Opt} a */ export function jf(a) { return fn(a); }
export default val;
//= c.cjs
const t = require('./t'); module.exports = { v: t.val };
//= u.ts
import { opt, jf } from './j.js'; import dv from './j.js';
const o: number = opt.o; const s: string = jf({ o: 1 }); const d: number = dv;
//= k.js
/** @typedef {import('./t').Opt & { extra: string }} Big */ export {};
//= l.ts
import type { Big } from './k.js'; declare const b: Big; const o: number = b.o; const e: string = b.extra;
`,
    { allowJs: true, checkJs: true },
  ),
  program(
    'declaration files without export statements',
    { path: 'opt.ts', from: 'p?: string', to: 'p: number' },
    `
//= amb.d.ts
import type { Opt } from './opt'; declare const amb: Opt; interface Hid { h: Opt } declare function ambf(o: Opt): Hid;
//= opt.ts
export interface Opt { o: number; p?: string } export class Old { private q = 1; r(): Opt { return null!; } }
//= use.ts
import { amb, ambf, type Hid } from './amb'; import { Old } from './opt';
const n: number = amb.o; const h: Hid = ambf(new Old().r()); export const x = h.h;
//= far.ts
import { x } from './use';
const p: string | undefined = x.p;
`,
  ),
  program(
    'CommonJS imported by ECMAScript modules',
    { path: 'lib.ts', from: 'one = 1', to: "one = 'x'" },
    `
//= package.json
{ "type": "commonjs" }
//= lib.ts
export const one = 1; export function two() { return 'two'; } export default { d: true };
//= old.cts
interface Api { run(n: number): string } const api: Api = { run: () => '' }; namespace api { export type T = Api } export = api;
//= esm.mts
import lib from './lib.js'; import * as ns from './lib.js'; import old from './old.cjs';
const a: number = lib.one; const b: string = lib.two(); const c: boolean = lib.default.d; const d: number = ns.one; const e: string = old.run(1); export const f = lib;
//= far.mts
import { f } from './esm.mjs'; import old = require('./old.cjs');
const g: number = f.one; const h: old.T = old;
`,
    { module: 'nodenext', moduleResolution: 'nodenext' },
  ),
  program(
    'exports of narrowed variables, by name and by value',
    { path: 'value.ts', from: "= 'low'", to: '= 1' },
    `
//= assigned.cts
type Size = string | number; let size: Size = 5; export = { size, twice: () => 2 };
//= named.cts
type Step = string | number | (() => number); let step: Step = () => 1; step = 2; export = step;
//= value.ts
type Level = string | number; let level: Level = 'low'; const change = (): void => { level = 1; }; export default { level, change };
//= name.ts
type Handler = (() => number) | ((a: string) => string); const handler: Handler = () => { return 1; }; export const kept = handler; export default handler;
//= later.ts
let count: number | undefined = 1; if (count === undefined) throw count; export default count; export { count as same };
//= use.ts
import assigned = require('./assigned.cjs'); import named = require('./named.cjs');
import value from './value.js'; import handler, { kept } from './name.js'; import later, { same } from './later.js';
const a: number = assigned.size; const b: number = assigned.twice(); const c: string | number | (() => number) = named; const d: string = value.level;
const e: typeof handler = kept; const f: number | undefined = later; const g: number | undefined = same; value.change(); export const h: number = kept();
`,
    { module: 'nodenext', moduleResolution: 'nodenext' },
  ),
  program(
    'the same name from two modules',
    { path: 'b.ts', from: 'export const onlyB', to: 'export const same = 2; export const onlyB' },
    `
//= a.ts
export const same = 1; export const onlyA = 'a'; export type Both = { a: 1 }
//= b.ts
export const onlyB = 2; const same2 = 'x'; export { same2 }; export type Also = { b: 1 }
//= all.ts
export * from './a'; export * from './b'; export const top = 3;
//= deep.ts
export * from './all'; export { onlyB as renamed } from './all';
//= use.ts
import { same, onlyA, onlyB, same2, top, renamed } from './deep'; import type { Both, Also } from './deep'; import * as d from './deep';
const s: number = same; const o: string = onlyA; const b: number = onlyB; const s2: string = same2; const t: 3 = top; const r: number = renamed; const bo: Both = { a: 1 }; const al: Also = { b: 1 }; const w: number = d.same;
`,
  ),
  program(
    'types reached through members of others',
    { path: 'p/kind.ts', from: 'note: string', to: 'note: number' },
    `
//= p/index.ts
export { make } from './make'; export type { Kind } from './kind';
//= p/kind.ts
export type Kind = 'x' | 'y'; export interface Tree { kind: Kind; kids: Tree[]; meta: Meta } interface Meta { note: string }
//= p/make.ts
import type { Tree, Kind } from './kind';
export function make(kind: Kind): Tree { return { kind, kids: [], meta: { note: '' } }; } export const all = (['x', 'y'] as const).map((k) => make(k));
//= q.ts
import { make, type Kind } from './p'; import { all } from './p/make';
const t = make('x'); const n: string = t.meta.note; const k: Kind = t.kind; export const notes = all.map((x) => x.meta.note); export class Holder { #t = make('y'); get note() { return this.#t.meta.note; } static shared = all; }
//= r.ts
import { notes, Holder } from './q';
const m: string[] = notes; const o: string = new Holder().note; const l: number = Holder.shared.length; type Q = (typeof Holder.shared)[number]['kind']; const q: Q = 'x';
//= s.ts
import type { Tree } from './p/kind'; type Walk<T extends { kids: T[] }> = T['kids'][number]; const w: Walk<Tree>['kind'] = 'y'; export type Kinds = { [K in Tree['kind']]: K }
//= t.ts
import type { Kinds } from './s'; const z: Kinds = { x: 'x', y: 'y' };
`,
  ),
  program(
    'initialisers that are type assertions',
    { path: 'store.ts', from: 'as Create;', to: 'as Other;' },
    `
//= store.ts
export interface Api<T> { get(): T; set(v: T): void } type Create = <T>(first: () => T) => Api<T>; type Other = (n: number) => Api<number>;
const impl: Create = (first) => { let state = first(); const set = (v: typeof state) => { state = v; }; return { get: () => state, set }; };
export const create = ((first) => (first ? impl(first) : impl(() => 1 as never))) as Create;
export const loose = impl as unknown as Other;
export const angled = (<Other>((n: number) => impl(() => n)));
export class Holder { first = create(() => 1) as Api<number>; static last = loose(1) as { get(): number }; second = { deep: create(() => 'x') as Api<string> }; }
let step: 1 | 2 = 1 as 1 | 2; const moved = (step = 2) as number; export const after = step; export const used = moved;
const isOne = (step === 2) as boolean; export const told = isOne ? step : 0;
export const nested = { a: create(() => 1) as Api<number>, b: [loose as Other, angled] }; export const fixed = { k: 'v', n: [1, 2] } as const;
export const self = (() => [self].length) as () => number; export const round = { m: (): number => 1 as number, x: (loose(2) as Api<number>).get() };
//= use.ts
import { create, loose, angled, Holder, after, used, told, nested, fixed, self, round } from './store';
const a: number = create(() => 1).get(); const b: string = create(() => 'x').get(); const c: number = loose(1).get(); const d: number = angled(2).get();
const e: number = new Holder().first.get(); const f: number = Holder.last.get(); const g: string = new Holder().second.deep.get(); const h: 2 = after; const i: number = used; const j: 0 | 2 = told;
const k: number = nested.a.get(); const l: number = nested.b.length; const m: 'v' = fixed.k; const n: 1 = fixed.n[0]; const o: number = self(); const p: number = round.m(); const q: number = round.x;
export const again = create(() => ({ a, b })); export const most = new Holder().second;
//= far.ts
import { again, most } from './use'; import type { Holder } from './store';
const r: { a: number; b: string } = again.get(); const s: string = most.deep.get(); type First = Holder['first']; const t: First = { get: () => 1, set() {} };
`,
  ),
];
