/** Monorepos in which files affect each other without naming each other: JSX runtimes, ambient declarations, JavaScript. */
import { allSources, bundled, byPath, checkEach, json } from './arrangement.ts';
import type { GeneratedMonorepo } from './generated-monorepo.ts';

const runtime = `export namespace JSX {
  export interface Element {
    readonly tag: unknown;
  }
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicElements {
    panel: { readonly width: number; readonly children?: unknown };
    text: { readonly value?: string };
  }
}

export function jsx(tag: unknown, _props: unknown): JSX.Element {
  return { tag };
}

export const jsxs = jsx;
export const Fragment = 'fragment';
`;

/** A runtime of its own that no file imports: the configuration of one project and a pragma of one file name it. */
export const jsxRuntime: GeneratedMonorepo = {
  shape: 'own JSX runtime',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'jsx', private: true }),
    'tsconfig.json': json({
      files: [],
      references: [{ path: 'packages/runtime' }, { path: 'packages/ui' }, { path: 'packages/page' }],
    }),
    'packages/runtime/tsconfig.json': json({
      compilerOptions: { ...bundled, composite: true, rootDir: 'src', outDir: 'out' },
      include: ['src'],
    }),
    'packages/runtime/src/jsx-runtime.ts': runtime,
    'packages/runtime/src/small/jsx-runtime.ts': runtime.replace('panel:', 'box:'),
    'packages/ui/tsconfig.json': json({
      compilerOptions: {
        ...bundled,
        composite: true,
        rootDir: 'src',
        outDir: 'out',
        jsx: 'react-jsx',
        jsxImportSource: '@m/runtime',
        paths: { '@m/runtime/*': ['../runtime/src/*.ts'], '@m/small/*': ['../runtime/src/small/*.ts'] },
      },
      include: ['src'],
      references: [{ path: '../runtime' }],
    }),
    'packages/ui/src/panel.tsx': `export interface PanelProps {
  readonly title: string;
}

export const Panel = ({ title }: PanelProps) => (
  <panel width={title.length}>
    <text value={title} />
  </panel>
);
`,
    'packages/ui/src/small.tsx': `/** @jsxImportSource @m/small */
export const small = <box width={1} />;
`,
    'packages/ui/src/size.ts': 'export const size = (text: string): number => text.length;\n',
    'packages/page/tsconfig.json': json({
      compilerOptions: {
        ...bundled,
        composite: true,
        rootDir: 'src',
        outDir: 'out',
        jsx: 'react-jsx',
        jsxImportSource: '@m/runtime',
        paths: { '@m/runtime/*': ['../runtime/src/*.ts'], '@m/ui/*': ['../ui/src/*'] },
      },
      include: ['src'],
      references: [{ path: '../runtime' }, { path: '../ui' }],
    }),
    'packages/page/src/page.tsx': `import { Panel } from '@m/ui/panel';
import { size } from '@m/ui/size';

export const page = (
  <>
    <Panel title="page" />
    <panel width={size('page')} />
  </>
);
export const flaw: string = size('flaw');
`,
  },
  links: {},
  checks: [['-b']],
};

/** Globals from a script, from a module that augments the global scope, from type roots and triple-slash references. */
export const ambient: GeneratedMonorepo = {
  shape: 'ambient declarations',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'ambient', private: true }),
    'tsconfig.json': json({
      compilerOptions: { ...bundled, noEmit: true, types: ['own'], typeRoots: ['./typings'] },
      include: ['packages/*/src', 'declarations'],
    }),
    'typings/own/index.d.ts': 'declare const ownVersion: string;\n',
    'declarations/assets.d.ts':
      "declare module '*.svg' {\n  const path: string;\n  export default path;\n}\n",
    'declarations/script.d.ts':
      'interface Settings {\n  readonly depth: number;\n}\ndeclare const settings: Settings;\n',
    ...allSources(byPath),
    'packages/core/src/augment.ts': `export const registered = 1;

declare global {
  interface Registry {
    readonly count: number;
  }
  var registry: Registry;
}
`,
    'packages/geometry/src/extend.ts': `import '../../core/src/point';

declare module '../../core/src/point' {
  interface Point {
    readonly z?: number;
  }
}
`,
    'packages/app/src/globals.ts': `import logo from './logo.svg';

export const depth: number = settings.depth + registry.count;
export const version: string = ownVersion + logo;
`,
    'packages/app/src/legacy.d.ts': 'declare function legacyCall(times: number): string;\n',
    'packages/app/src/call.ts': `/// <reference path="./legacy.d.ts" />
import { origin } from '../../core/src/index';

export const called: string = legacyCall(origin.z ?? 2);
`,
  },
  links: {},
  checks: checkEach('tsconfig.json'),
};

/** JavaScript checked by its comments, declarations beside it, and files that opt in or out. */
export const javascript: GeneratedMonorepo = {
  shape: 'JavaScript with checkJs',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'javascript', private: true, type: 'module' }),
    'packages/plain/tsconfig.json': json({
      compilerOptions: { ...bundled, allowJs: true, checkJs: true, noEmit: true },
      include: ['src'],
    }),
    'packages/plain/src/sum.js': `/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export function sum(a, b) {
  return a + b;
}

/** @typedef {{ readonly name: string, readonly size: number }} Item */

/** @type {Item} */
export const item = { name: 'item', size: 1 };
`,
    'packages/plain/src/use.js': `import { item, sum } from './sum.js';
import { typed } from './typed.js';

/** @type {number} */
export const total = sum(item.size, typed(2));
`,
    'packages/plain/src/typed.js': 'export const typed = (value) => value;\n',
    'packages/plain/src/typed.d.ts': 'export declare const typed: (value: number) => number;\n',
    'packages/plain/src/unchecked.js': `// @ts-nocheck
import { sum } from './sum.js';

export const wrong = sum('a');
`,
    'packages/mixed/tsconfig.json': json({
      compilerOptions: { ...bundled, allowJs: true, noEmit: true },
      include: ['src'],
    }),
    'packages/mixed/src/loose.js': `import { sum } from '../../plain/src/sum.js';

export const loose = sum(1);
`,
    'packages/mixed/src/checked.js': `// @ts-check
import { loose } from './loose.js';

/** @type {string} */
export const checked = loose;
`,
    'packages/mixed/src/main.ts': `import { item } from '../../plain/src/sum.js';
import { loose } from './loose.js';

export const main: number = loose + item.size;
`,
  },
  links: {},
  checks: checkEach('packages/plain', 'packages/mixed'),
};
