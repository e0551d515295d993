/**
 * Ways in which one file affects another without a plain relative import: ambient declarations, configuration, aliases,
 * shadowing, packages. Each is a small workspace and an edit to it.
 */
import type { WorkspaceFiles } from './workspace-files.ts';

export interface Structure {
  readonly name: string;
  readonly files: WorkspaceFiles;
  /** Paths with what the edit leaves there; null for a file it takes away. */
  readonly edit: Readonly<Record<string, string | null>>;
  /** Links in the workspace, with what they point at. */
  readonly links?: Readonly<Record<string, string>>;
}

const options = {
  strict: true,
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  resolveJsonModule: true,
  skipLibCheck: true,
  types: [],
};

function tsconfig(own: object = {}, rest: object = {}): string {
  return JSON.stringify({ compilerOptions: { ...options, ...own }, ...rest });
}

const plain = { 'tsconfig.json': tsconfig() };
const javascript = { 'tsconfig.json': tsconfig({ allowJs: true, checkJs: true }) };
const preserved = { 'tsconfig.json': tsconfig({ jsx: 'preserve' }) };
const packaged = { 'tsconfig.json': tsconfig({ allowImportingTsExtensions: true }) };

const number = 'export const v: number = 1;\n';
const text = "export const v: string = 's';\n";
const half = (specifier: string): string =>
  `import { v } from '${specifier}';\nexport const half: number = v / 2;\n`;
const kit = (imports: string): string =>
  JSON.stringify({ name: 'kit', type: 'module', imports: { '#v': imports }, exports: { './v': './v.ts' } });
const intrinsic = (id: string): string =>
  `declare namespace JSX { interface Element {} interface IntrinsicElements { div: { id?: ${id} } } }\n`;

export const typescriptStructures: readonly Structure[] = [
  {
    name: 'a global declared in a declaration file',
    files: { ...plain, 'g.d.ts': 'declare const V: string;\n', 'app.ts': 'export const v: string = V;\n' },
    edit: { 'g.d.ts': 'declare const OTHER: string;\n' },
  },
  {
    name: 'a global declared inside a module',
    files: {
      ...plain,
      'g.ts': 'export {};\ndeclare global { interface Pane { a: string } }\n',
      'app.ts': 'export const size = (pane: Pane): number => pane.a.length;\n',
    },
    edit: { 'g.ts': 'export {};\ndeclare global { interface Pane { a: number } }\n' },
  },
  {
    name: 'an interface merged from two files, one of which goes',
    files: {
      ...plain,
      'a.d.ts': 'interface Both { a: number }\n',
      'b.d.ts': 'interface Both { b: number }\n',
      'app.ts': 'export const sum = (x: Both): number => x.a + x.b;\n',
    },
    edit: { 'b.d.ts': null },
  },
  {
    name: 'scripts that share one scope',
    files: { ...plain, 'one.ts': 'const shared: number = 1;\n', 'two.ts': 'const twice = shared * 2;\n' },
    edit: { 'one.ts': "const shared: string = 'x';\n" },
  },
  {
    name: 'scripts that come to declare the same name',
    files: { ...plain, 'one.ts': 'const once = 1;\n', 'two.ts': 'const twice = 2;\n' },
    edit: { 'two.ts': 'const once = 2;\n' },
  },
  {
    name: 'a JSON module',
    files: {
      ...plain,
      'data.json': '{"a": 1}\n',
      'app.ts': "import data from './data.json';\nexport const n: number = data.a;\n",
    },
    edit: { 'data.json': '{"a": "x"}\n' },
  },
  {
    name: 'a stricter configuration',
    files: { 'tsconfig.json': tsconfig({ strict: false }), 'app.ts': 'export function f(a) { return a; }\n' },
    edit: { 'tsconfig.json': tsconfig() },
  },
  {
    name: 'a stricter configuration that another builds on',
    files: {
      'tsconfig.json': JSON.stringify({ extends: './base.json' }),
      'base.json': tsconfig({ strict: false }),
      'app.ts': 'export function f(a) { return a; }\n',
    },
    edit: { 'base.json': tsconfig() },
  },
  {
    name: 'an alias that comes to mean another directory',
    files: {
      'tsconfig.json': tsconfig({ paths: { '@lib/*': ['./lib/*'] } }),
      'lib/v.ts': number,
      'other/v.ts': text,
      'app.ts': half('@lib/v'),
    },
    edit: { 'tsconfig.json': tsconfig({ paths: { '@lib/*': ['./other/*'] } }) },
  },
  {
    name: 'what an alias leads to',
    files: {
      'tsconfig.json': tsconfig({ paths: { '@lib/*': ['./lib/*'] } }),
      'lib/v.ts': number,
      'app.ts': half('@lib/v'),
    },
    edit: { 'lib/v.ts': text },
  },
  {
    name: 'a chain of re-exports',
    files: {
      ...plain,
      'a.ts': number,
      'b.ts': "export * from './a';\n",
      'c.ts': "export * from './b';\n",
      'app.ts': half('./c'),
    },
    edit: { 'a.ts': text },
  },
  {
    name: 'a type named in place',
    files: {
      ...plain,
      'a.ts': 'export interface A { x: number }\n',
      'app.ts': "export const f = (a: import('./a').A): number => a.x;\n",
    },
    edit: { 'a.ts': 'export interface A { x: string }\n' },
  },
  {
    name: 'an import while the program runs',
    files: {
      ...plain,
      'a.ts': number,
      'app.ts': "export const f = async (): Promise<number> => (await import('./a')).v;\n",
    },
    edit: { 'a.ts': text },
  },
  {
    name: 'a reference in a comment at the top',
    files: {
      'tsconfig.json': tsconfig({}, { files: ['app.ts'] }),
      'types/t.d.ts': 'declare const T: number;\n',
      'app.ts': '/// <reference path="./types/t.d.ts" />\nexport const n: number = T;\n',
    },
    edit: { 'types/t.d.ts': 'declare const T: string;\n' },
  },
  {
    name: 'a type imported in a comment',
    files: {
      ...javascript,
      'a.js': '/** @typedef {{x: number}} A */\nexport {};\n',
      'one.js': "/** @type {import('./a').A} */\nexport const v = { x: 1 };\n",
      'two.js': "/** @import { A } from './a' */\n/** @type {A} */\nexport const v = { x: 1 };\n",
    },
    edit: { 'a.js': '/** @typedef {{x: string}} A */\nexport {};\n' },
  },
  {
    name: 'a module added to from elsewhere',
    files: {
      ...plain,
      'a.ts': 'export interface A { x: number }\n',
      'more.ts': "import './a';\ndeclare module './a' { interface A { y: number } }\n",
      'app.ts': "import type { A } from './a';\nexport const f = (a: A): number => a.y;\n",
    },
    edit: { 'more.ts': "import './a';\ndeclare module './a' { interface A { y: string } }\n" },
  },
  {
    name: 'a module that is only declared',
    files: {
      ...plain,
      'm.d.ts': "declare module 'virtual' { export const v: number; }\n",
      'app.ts': half('virtual'),
    },
    edit: { 'm.d.ts': "declare module 'virtual' { export const v: string; }\n" },
  },
  {
    name: 'modules declared by a pattern',
    files: {
      ...plain,
      'm.d.ts': "declare module '*.css' { const c: Record<string, string>; export default c; }\n",
      'app.ts': "import c from './x.css';\nexport const n: string | undefined = c.a;\n",
    },
    edit: { 'm.d.ts': "declare module '*.css' { const c: Record<string, number>; export default c; }\n" },
  },
  {
    name: 'a new file in front of a directory of its name',
    files: { ...plain, 'x/index.ts': number, 'app.ts': half('./x') },
    edit: { 'x.ts': text },
  },
  {
    name: 'a new declaration beside JavaScript',
    files: {
      'tsconfig.json': tsconfig({ allowJs: true }),
      'x.js': 'export const v = 1;\n',
      'app.ts': half('./x'),
    },
    edit: { 'x.d.ts': 'export declare const v: string;\n' },
  },
  {
    name: 'a file that was missing',
    files: { ...plain, 'app.ts': half('./missing') },
    edit: { 'missing.ts': number },
  },
  {
    name: 'what a package calls by names of its own',
    files: {
      ...packaged,
      'package.json': kit('./v.ts'),
      'v.ts': number,
      'one.ts': half('#v'),
      'two.ts': half('kit/v'),
    },
    edit: { 'v.ts': text },
  },
  {
    name: 'a name of its own that comes to mean another file',
    files: { ...packaged, 'package.json': kit('./v.ts'), 'v.ts': number, 'w.ts': text, 'app.ts': half('#v') },
    edit: { 'package.json': kit('./w.ts') },
  },
  {
    name: 'a package of the same workspace',
    files: {
      ...plain,
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/lib/package.json': JSON.stringify({ name: '@kit/lib', types: './index.ts' }),
      'packages/lib/index.ts': number,
      'packages/app/package.json': JSON.stringify({ name: '@kit/app' }),
      'packages/app/app.ts': half('@kit/lib'),
    },
    links: { 'node_modules/@kit/lib': '../../packages/lib' },
    edit: { 'packages/lib/index.ts': text },
  },
  {
    name: 'the value of a constant',
    files: {
      ...plain,
      'e.ts': 'export const enum E { A = 1, B = 2 }\n',
      'app.ts': "import { E } from './e';\nexport const two: 2 = E.B;\n",
    },
    edit: { 'e.ts': 'export const enum E { A = 1, B = 3 }\n' },
  },
  {
    name: 'the properties of a component',
    files: {
      ...preserved,
      'jsx.d.ts': intrinsic('string'),
      'Box.tsx': 'export function Box(p: { a: number }) { return <div id={String(p.a)} />; }\n',
      'app.tsx': "import { Box } from './Box';\nexport const box = <Box a={1} />;\n",
    },
    edit: { 'Box.tsx': 'export function Box(p: { a: string }) { return <div id={p.a} />; }\n' },
  },
  {
    name: 'the properties of an element',
    files: { ...preserved, 'jsx.d.ts': intrinsic('string'), 'app.tsx': 'export const x = <div id="a" />;\n' },
    edit: { 'jsx.d.ts': intrinsic('number') },
  },
  {
    name: 'a private member two modules away',
    files: {
      ...plain,
      'a.ts': 'export class A { private x = 1; protected z = this.x; }\n',
      'b.ts': "export { A as default } from './a';\n",
      'app.ts': "import A from './b';\nexport class B extends A { y = 2; }\n",
    },
    edit: { 'a.ts': 'export class A { private y = 1; protected z = this.y; }\n' },
  },
  {
    name: 'modules that import each other',
    files: {
      ...plain,
      'a.ts': "import type { B } from './b';\nexport interface A { b: B; n: number }\n",
      'b.ts': "import type { A } from './a';\nexport interface B { a: A }\n",
      'app.ts': "import type { B } from './b';\nexport const f = (b: B): number => b.a.n;\n",
    },
    edit: { 'a.ts': "import type { B } from './b';\nexport interface A { b: B; n: string }\n" },
  },
];

const standard = { 'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }) };
const whole = 'v: int = 1\n';
const words = "v: str = 's'\n";
const halved = (line: string, name = 'v'): string => `${line}\n\nhalf: float = ${name} / 2\n`;

export const pythonStructures: readonly Structure[] = [
  {
    name: 'everything a package takes in',
    files: {
      ...standard,
      'kit/__init__.py': 'from kit.inner import *\n',
      'kit/inner.py': whole,
      'app.py': halved('from kit import v'),
    },
    edit: { 'kit/inner.py': words },
  },
  {
    name: 'the names a module hands out',
    files: {
      ...standard,
      'inner.py': `${whole}w: int = 2\n__all__ = ['v', 'w']\n`,
      'app.py': halved('from inner import *', 'w'),
    },
    edit: { 'inner.py': `${whole}w: int = 2\n__all__ = ['v']\n` },
  },
  {
    name: 'a module reached through its package',
    files: {
      ...standard,
      'kit/__init__.py': '',
      'kit/deep/__init__.py': '',
      'kit/deep/inner.py': whole,
      'app.py': halved('import kit.deep.inner', 'kit.deep.inner.v'),
    },
    edit: { 'kit/deep/inner.py': words },
  },
  {
    name: 'a neighbour named by dots',
    files: {
      ...standard,
      'kit/__init__.py': '',
      'kit/inner.py': whole,
      'kit/one.py': halved('from . import inner', 'inner.v'),
      'kit/sub/__init__.py': '',
      'kit/sub/two.py': halved('from ..inner import v'),
    },
    edit: { 'kit/inner.py': words },
  },
  {
    name: 'a new stub beside a module',
    files: { ...standard, 'inner.py': whole, 'app.py': halved('from inner import v') },
    edit: { 'inner.pyi': 'v: str\n' },
  },
  {
    name: 'a package without a file of its own',
    files: { ...standard, 'kit/inner.py': whole, 'app.py': halved('from kit.inner import v') },
    edit: { 'kit/inner.py': words },
  },
  {
    name: 'a new package in front of a module of its name',
    files: { ...standard, 'kit.py': whole, 'app.py': halved('from kit import v') },
    edit: { 'kit/__init__.py': words },
  },
  {
    name: 'an import for types only, and one inside a function',
    files: {
      ...standard,
      'inner.py': 'class A:\n    x: int = 1\n',
      'one.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from inner import A\n\n\ndef half(a: "A") -> float:\n    return a.x / 2\n',
      'two.py': 'def half() -> float:\n    from inner import A\n\n    return A().x / 2\n',
    },
    edit: { 'inner.py': "class A:\n    x: str = 's'\n" },
  },
  {
    name: 'a class two modules above',
    files: {
      ...standard,
      'a.py': 'class A:\n    def area(self) -> int:\n        return 1\n',
      'b.py': 'from a import A\n\n\nclass B(A):\n    pass\n',
      'app.py': 'from b import B\n\nhalf: float = B().area() / 2\n',
    },
    edit: { 'a.py': "class A:\n    def area(self) -> str:\n        return 's'\n" },
  },
  {
    name: 'builtins added by the project',
    files: { ...standard, '__builtins__.pyi': 'v: int\n', 'app.py': 'half: float = v / 2\n' },
    edit: { '__builtins__.pyi': 'v: str\n' },
  },
  {
    name: 'a stricter configuration',
    files: { ...standard, 'app.py': 'def f(a):\n    return a\n' },
    edit: { 'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'strict' }) },
  },
  {
    name: 'a module that was missing',
    files: { ...standard, 'app.py': halved('from missing import v') },
    edit: { 'missing.py': whole },
  },
];
