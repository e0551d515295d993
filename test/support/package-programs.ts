/** Small programs whose files see each other through packages: linked ones, libraries, and libraries that need linked ones. */
import { type DeclarationProgram, program } from './declaration-programs.ts';

/** The links of a monorepo: packages of the workspace among those installed. */
function linked(found: DeclarationProgram, links: Readonly<Record<string, string>>): DeclarationProgram {
  return { ...found, links };
}

export const packagePrograms: readonly DeclarationProgram[] = [
  linked(
    program(
      'a library whose types come from a package of the workspace',
      {
        path: 'packages/core/index.ts',
        from: 'start(port: number): string',
        to: 'start(port: number): number',
      },
      `
//= packages/core/package.json
{ "name": "core", "types": "./index.ts" }
//= packages/core/index.ts
export interface App { start(port: number): string; stop?: () => void } export const version = 1 as const; export type Version = typeof version;
//= node_modules/plugin/package.json
{ "name": "plugin", "types": "./index.d.ts", "peerDependencies": { "core": "*" } }
//= node_modules/plugin/index.d.ts
import type { App, Version } from 'core'; export declare function plug(): App; export declare const of: Version; export default plug;
//= app.ts
import { plug, of } from 'plugin'; const s: string = plug().start(1); const v: 1 = of; export const app = plug();
//= other.ts
import make from 'plugin'; export default make().start;
//= use.ts
import { app } from './app'; import start from './other'; const t: string = app.start(2); const u: string = start(3);
`,
    ),
    { 'node_modules/core': '../packages/core' },
  ),
  linked(
    program(
      'a library that needs another one that needs a package of the workspace',
      { path: 'packages/core/src/kind.ts', from: `'x' | 'y'`, to: `'x'` },
      `
//= packages/core/package.json
{ "name": "@app/core", "exports": { ".": "./src/index.ts", "./kind": "./src/kind.ts" } }
//= packages/core/src/index.ts
export * from './kind'; export const first = 'x';
//= packages/core/src/kind.ts
export type Kind = 'x' | 'y'; export interface Tree { kind: Kind; kids: Tree[] }
//= node_modules/outer/package.json
{ "name": "outer", "types": "./index.d.ts", "dependencies": { "inner": "1" } }
//= node_modules/outer/index.d.ts
export { tree } from 'inner'; export declare const count: number;
//= node_modules/inner/package.json
{ "name": "inner", "types": "./index.d.ts", "optionalDependencies": { "@app/core": "1" } }
//= node_modules/inner/index.d.ts
import type { Tree } from '@app/core/kind'; export declare const tree: Tree & { kind: 'y' };
//= use.ts
import { tree, count } from 'outer'; const k: 'y' = tree.kind; const n: number = count; export const kids = tree.kids;
//= far.ts
import { kids } from './use'; const k: ('x' | 'y')[] = kids.map((kid) => kid.kind);
`,
    ),
    { 'node_modules/@app/core': '../../packages/core' },
  ),
  linked(
    program(
      'a package of the workspace by an alias and by a link, with additions to it',
      { path: 'packages/ext/src/extra.ts', from: 'value: string', to: 'value: number' },
      `
//= packages/core/package.json
{ "name": "@app/core", "types": "./src/index.ts" }
//= packages/core/src/index.ts
export interface Options { level: number } export interface Bail {} export function run(options: Options): Options { return options; }
//= packages/ext/package.json
{ "name": "@app/ext", "types": "./src/index.ts" }
//= packages/ext/src/extra.ts
export interface Extra { value: string } export const extra: Extra = { value: '' };
//= packages/ext/src/index.ts
import type { Extra } from './extra'; export { extra } from './extra';
declare module '@app/core' { interface Options { extra: Extra } interface Bail { bail: true } }
//= app/main.ts
import { run, type Bail } from '@app/core'; import { extra } from '@app/ext';
const found: string = run({ level: 1, extra }).extra.value; const b: Bail = { bail: true }; export const options = run({ level: 2, extra });
//= app/use.ts
import { options } from './main'; const v: string = options.extra.value;
`,
      { paths: { '@app/*': ['./packages/*/src'] } },
    ),
    {
      'node_modules/@app/core': '../../packages/core',
      'packages/ext/node_modules/@app/core': '../../../core',
    },
  ),
  program(
    'names for every file that come from a library, and statements around them',
    { path: 'state.ts', from: 'count: number', to: 'count: string' },
    `
//= node_modules/editor/package.json
{ "name": "editor", "types": "./index.d.ts" }
//= node_modules/editor/index.d.ts
export interface Model { text: string } export declare function open(text: string): Model;
//= state.ts
export interface State { count: number } export const state: State = { count: 1 };
//= main.ts
import type * as editor from 'editor'; import { state } from './state'; import path from 'path';
declare global { interface Shared { editor: typeof editor; init: () => void } var shared: Shared; }
let last = state.count; shared.init = () => { last = state.count; }; if (last) { last = 2; } export { last };
//= node.d.ts
declare module 'path' { const path: { join(...parts: string[]): string }; export default path; }
//= use.ts
import { last } from './main'; const n: number = last; const m = shared.editor.open('x').text; export const found: string = m;
`,
  ),
  program(
    'a file that is no source, declared beside it',
    { path: 'component.ts', from: 'title: string', to: 'title: number' },
    `
//= component.ts
export interface Component { title: string }
//= view/App.d.page.ts
import type { Component } from '../component'; declare const page: Component; export default page;
//= main.ts
import page from './view/App.page'; const p: string = page.title; export const title = page.title;
//= use.ts
import { title } from './main'; const t: string = title;
`,
    { allowArbitraryExtensions: true },
  ),
  linked(
    program(
      'a library and files with the same names, by paths of every sort',
      { path: 'src/a.ts', from: 'alpha = 1', to: `alpha = 'x'` },
      `
//= node_modules/lib/package.json
{ "name": "lib", "types": "./index.d.ts" }
//= node_modules/lib/index.d.ts
export declare const alpha: number; export declare const beta: number; declare const lib: { alpha: number }; export default lib;
//= packages/app/package.json
{ "name": "app", "types": "./index.d.ts" }
//= packages/app/index.d.ts
export declare const alpha: number;
//= src/a.ts
export const alpha = 1; export const beta = 2; export default alpha;
//= src/b.ts
import { alpha } from 'lib'; import own from 'lib'; const n: number = alpha + own.alpha; export { beta } from 'lib';
//= src/c.ts
import { alpha } from 'app/a'; import one from './a'; const n: number = alpha; const m: number = one; export const gamma = alpha;
//= src/d.ts
import { gamma } from 'app/c'; const n: number = gamma; export const later = () => import('./a');
//= src/e.ts
import { later } from './d'; const n: Promise<number> = later().then((a) => a.alpha);
`,
      { paths: { 'app/*': ['./src/*'] } },
    ),
    { 'node_modules/app': '../packages/app' },
  ),
];
