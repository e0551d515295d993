/** TypeScript 7 keeps a program whose files name the same modules, though one of them imports in another mode. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DiskChange, filesWithErrors, judgeChange } from '../support/truth/judged-change.ts';
import { World } from '../support/world.ts';

const runtime = (elements: string): string =>
  [
    `export namespace JSX { export interface IntrinsicElements { ${elements} } export interface Element { kind: 1 } }`,
    'export declare const jsx: () => JSX.Element;',
    'export declare const Fragment: unique symbol;\n',
  ].join('\n');

const conditions = { import: { types: './module.d.mts' }, require: { types: './script.d.cts' } };

const program: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "program", "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, types: [], module: 'nodenext', skipLibCheck: true },
    include: ['src'],
  }),
  'node_modules/dual/package.json': JSON.stringify({ name: 'dual', exports: { '.': conditions } }),
  'node_modules/dual/module.d.mts': 'export declare const v: number;\nexport interface T { m: number }\n',
  'node_modules/dual/script.d.cts': 'export declare const v: string;\nexport interface T { s: number }\n',
  'src/module.ts': "import { v } from 'dual';\nexport const n: number = v;\n",
  'src/script.cts': "import { v } from 'dual';\nexport const s: string = v;\n",
  'src/type.ts': "import type { T } from 'dual';\nexport const t: T = { m: 1 };\n",
};

const text = (name: string, ...lines: readonly string[]): DiskChange => ({ [name]: `${lines.join('\n')}\n` });

/** Each breaks the file that it changes, and is right with the other type. */
const cases: readonly (readonly [about: string, wrong: DiskChange, right: DiskChange])[] = [
  [
    'an import becomes a require',
    text('src/module.ts', "import d = require('dual');", 'export const n: number = d.v;'),
    text('src/module.ts', "import d = require('dual');", 'export const n: string = d.v;'),
  ],
  [
    'an import becomes a dynamic one',
    text('src/script.cts', "export const s = async (): Promise<string> => (await import('dual')).v;"),
    text('src/script.cts', "export const s = async (): Promise<number> => (await import('dual')).v;"),
  ],
  [
    'an attribute sets the mode',
    text(
      'src/type.ts',
      "import type { T } from 'dual' with { 'resolution-mode': 'require' };",
      'export const t: T = { m: 1 };',
    ),
    text(
      'src/type.ts',
      "import type { T } from 'dual' with { 'resolution-mode': 'require' };",
      'export const t: T = { s: 1 };',
    ),
  ],
];

describe('an edit that imports the same modules in another mode is judged as the compiler does', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(program);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(cases)('%s', async (_, wrong, right) => {
    expect(await filesWithErrors(world, wrong)).toEqual(Object.keys(wrong));
    expect(await filesWithErrors(world, right)).toEqual([]);
    expect(await judgeChange(world, wrong)).toMatchObject({ kind: 'broken', in: Object.keys(wrong) });
    expect(await judgeChange(world, right)).toEqual({ kind: 'clean' });
    expect(await judgeChange(world, wrong)).toMatchObject({ kind: 'broken', in: Object.keys(wrong) });
  });
});

describe('a pragma that names another runtime of JSX is obeyed', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, types: [], module: 'esnext', moduleResolution: 'bundler' },
          ...{ jsx: 'react-jsx', jsxImportSource: '../one' },
        },
      }),
      'one/jsx-runtime.ts': runtime('a: { x: number }'),
      'two/jsx-runtime.ts': runtime('b: { x: number }'),
      'src/one.tsx': 'export const one = <a x={1} />;\n',
      'src/two.tsx': '/** @jsxImportSource ../two */\nexport const two = <b x={1} />;\n',
    });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each<[about: string, change: DiskChange]>([
    ['it goes', text('src/two.tsx', 'export const two = <b x={1} />;')],
    ['it comes', text('src/one.tsx', '/** @jsxImportSource ../two */', 'export const one = <a x={1} />;')],
    ['it changes', text('src/two.tsx', '/** @jsxImportSource ../one */', 'export const two = <b x={1} />;')],
  ])('%s', async (_, change) => {
    const files = await filesWithErrors(world, change);
    expect(files).toEqual(Object.keys(change));
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: files });
  });

  test('also after another program has saved it', async () => {
    const [name, changed] = [
      'src/two.tsx',
      '/** @jsxImportSource ../one */\nexport const two = <a x={1} />;\n',
    ];
    expect(await judgeChange(world, { [name]: changed })).toEqual({ kind: 'clean' });
    await world.write(name, changed);
    const edit = { 'one/jsx-runtime.ts': runtime('a: { x: string }') };
    expect(await judgeChange(world, edit)).toMatchObject({ kind: 'broken', in: ['src/one.tsx', name] });
  });
});
