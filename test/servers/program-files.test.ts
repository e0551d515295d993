/** A file that an import takes into a program, or the last import out of it, says what it says to all files. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DiskChange, filesWithErrors, judgeChange } from '../support/truth/judged-change.ts';
import { World } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

const compilerOptions = {
  ...{ strict: true, noEmit: true, types: [], module: 'esnext', moduleResolution: 'bundler' },
  ...{ allowJs: true, checkJs: true, skipLibCheck: true, resolveJsonModule: true },
};
const tsconfig = JSON.stringify({ compilerOptions, include: ['src'] });
const globals = 'export {};\ndeclare global {\n  interface Shared {\n    a: number;\n  }\n}\n';

/** `src` is the program; the rest comes in by imports alone. */
const program: Files = {
  'package.json': '{ "name": "program", "type": "module" }',
  'tsconfig.json': tsconfig,
  'node_modules/matchers/package.json': '{ "name": "matchers", "types": "index.d.ts" }',
  'node_modules/matchers/index.d.ts':
    'declare global {\n  interface Matchers {\n    a: number;\n  }\n}\nexport {};\n',
  'node_modules/plain/package.json': '{ "name": "plain", "types": "index.d.ts" }',
  'node_modules/plain/index.d.ts': 'export declare const plain: number;\n',
  'node_modules/flawed/package.json': '{ "name": "flawed", "types": "index.d.ts" }',
  'node_modules/flawed/index.d.ts':
    'export declare const flawed: number;\nexport declare const other: Missing;\n',
  'node_modules/marred/package.json': '{ "name": "marred", "types": "index.d.ts" }',
  'node_modules/marred/index.d.ts':
    "import type { Missing } from 'missing';\nexport declare const marred: number;\nexport declare const other: Missing;\n",
  'more/globals.ts': globals,
  'more/script.d.ts': 'interface Scripted {\n  a: number;\n}\n',
  'more/chain.ts': "import './globals';\nexport const chain: number = 1;\n",
  'more/broken.ts': "export const broken: number = '';\n",
  'more/to-broken.ts': "export * from './broken';\n",
  'more/data.json': '{ "a": 1 }\n',
  'src/setup.ts': "import 'matchers';\nexport const setup: number = 1;\n",
  'src/old.js': "import '../more/chain';\nexport const setup = 1;\n",
  'src/reference.ts': '/// <reference path="../more/script.d.ts" />\nexport const reference: number = 1;\n',
  'src/plain.ts': "import { plain } from 'plain';\nexport const x: number = plain;\n",
  'src/marred.ts': "import { marred } from 'marred';\nexport const x: number = marred;\n",
  'src/use.ts':
    'export const m: Matchers = { a: 1 };\nexport const s: Shared = { a: 1 };\nexport const c: Scripted = { a: 1 };\n',
  'src/alone.ts': 'export const other: number = 1;\n',
};

const cases: readonly (readonly [about: string, change: DiskChange])[] = [
  ['the last import of a library with globals goes', { 'src/setup.ts': 'export const setup: number = 1;\n' }],
  ['the file with that import goes', { 'src/setup.ts': 'removed' }],
  ['an import of globals goes, in JavaScript', { 'src/old.js': 'export const setup = 1;\n' }],
  ['a reference goes', { 'src/reference.ts': 'export const reference: number = 1;\n' }],
  [
    'an import comes whose file has an error',
    { 'src/alone.ts': "import { broken } from '../more/broken';\nexport const other: number = broken;\n" },
  ],
  [
    'an import comes behind which one has an error',
    { 'src/alone.ts': "import { broken } from '../more/to-broken';\nexport const other: number = broken;\n" },
  ],
  [
    'a created file takes one along',
    {
      'src/created.ts': "import { broken } from '../more/broken';\nexport const created: number = broken;\n",
    },
  ],
  [
    'a file is changed that comes in at the same time',
    {
      'src/alone.ts': "import { chain } from '../more/chain';\nexport const other: number = chain;\n",
      'more/chain.ts': "import './globals';\nexport const chain: number = '';\n",
    },
  ],
  [
    'an import goes, and what it brought along comes by another one: nothing breaks',
    {
      'src/setup.ts': 'export const setup: number = 1;\n',
      'src/alone.ts': "import 'matchers';\nexport const other: number = 1;\n",
    },
  ],
  [
    'a library comes whose errors are skipped',
    { 'src/alone.ts': "import { flawed } from 'flawed';\nexport const other: number = flawed;\n" },
  ],
  ['one whose errors are skipped goes', { 'src/marred.ts': 'export const x: number = 1;\n' }],
  ['a plain library goes', { 'src/plain.ts': 'export const x: number = 1;\n' }],
  [
    'a plain file and data come',
    {
      'src/alone.ts':
        "import data from '../more/data.json';\nimport { plain } from 'plain';\nexport const other: number = data.a + plain;\n",
    },
  ],
];

describe('what comes into a program or goes is judged as the compiler does', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(program);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('nothing is wrong with it', async () => {
    expect(await filesWithErrors(world, {})).toEqual([]);
  });

  test.each(cases)('%s', async (_, change) => {
    const files = await filesWithErrors(world, change);
    const expected = files.length === 0 ? { kind: 'clean' } : { kind: 'broken', in: files };
    expect(await judgeChange(world, change)).toMatchObject(expected);
  });

  test('errors that are skipped stay skipped, whatever was asked of the file that imports them', async () => {
    const cut = { 'src/marred.ts': "import { marred } from 'marred';\n\nexport defau" };
    expect(await judgeChange(world, cut)).toMatchObject({ kind: 'broken' });
    const session = await world.session('typescript');
    await world.replace(session, 'src/marred.ts', { replace: "import { marred } from 'marred';", with: '' });
    const { resolved } = await world.evaluate(session, 'workspace');
    expect(resolved).toEqual([]);
  });

  test('what was found in a file before it came in is no error that it had there', async () => {
    const alone = { 'more/broken.ts': "export const broken: number = '';\nexport const more = 1;\n" };
    expect(await judgeChange(world, alone)).toMatchObject({ kind: 'unknown' });
    const [, change] = cases[4] ?? ['', {}];
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: ['more/broken.ts'] });
  });
});

test('of several projects, each that gains or loses a file is judged', async () => {
  const manifest = JSON.stringify({ files: [], references: [{ path: 'one' }, { path: 'two' }] });
  const project = JSON.stringify({ compilerOptions });
  await using world = await World.open({
    'tsconfig.json': manifest,
    'shared/globals.ts': globals,
    'one/tsconfig.json': project,
    'one/setup.ts': "import '../shared/globals';\nexport const one: number = 1;\n",
    'one/use.ts': 'export const s: Shared = { a: 1 };\n',
    'two/tsconfig.json': project,
    'two/setup.ts': "import '../shared/globals';\nexport const two: number = 1;\n",
    'two/use.ts': 'export const s: Shared = { a: 1 };\n',
  });
  const change = { 'one/setup.ts': 'export const one: number = 1;\n' };
  expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: ['one/use.ts'] });
});
