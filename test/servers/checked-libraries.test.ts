/** Without `skipLibCheck` the compiler checks the declarations of libraries, and a change of the workspace may break these. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DiskChange, judgeChange } from '../support/truth/judged-change.ts';
import { World } from '../support/world.ts';

const program = (skipLibCheck: boolean): Readonly<Record<string, string>> => ({
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ strict: true, noEmit: true, types: ['shared'], skipLibCheck },
      ...{ module: 'esnext', moduleResolution: 'bundler' },
    },
  }),
  'node_modules/@types/shared/index.d.ts': 'interface Shared {\n  a: number;\n}\n',
  'node_modules/lib/package.json': '{ "name": "lib", "types": "index.d.ts" }',
  'node_modules/lib/index.d.ts':
    "import { Peer } from 'peer';\nexport interface Lib extends Peer {\n  p: number;\n}\n",
  'node_modules/peer/package.json': '{ "name": "peer", "types": "index.d.ts" }',
  'node_modules/peer/index.d.ts': 'export interface Peer {\n  p: number;\n}\n',
  'src/globals.d.ts': 'interface Own {\n  b: number;\n}\n',
  'src/use.ts': "import type { Lib } from 'lib';\nexport const use = (lib: Lib): number => lib.p;\n",
});

const changes: readonly (readonly [about: string, change: DiskChange, broken: string])[] = [
  [
    'a global that a library declares as well',
    { 'src/globals.d.ts': 'interface Shared {\n  a: string;\n}\n' },
    'node_modules/@types/shared/index.d.ts',
  ],
  [
    'a module that a library imports, declared anew',
    { 'src/peer.d.ts': "declare module 'peer' {\n  export interface Peer {\n    p: string;\n  }\n}\n" },
    'node_modules/lib/index.d.ts',
  ],
  [
    'a library that another one imports',
    { 'node_modules/peer/index.d.ts': 'export interface Peer {\n  p: string;\n}\n' },
    'node_modules/lib/index.d.ts',
  ],
];

describe('where the compiler checks libraries', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(program(false));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(changes)('%s breaks the library', async (_, change, broken) => {
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: [broken] });
  });

  test('a global that no library sees is clean', async () => {
    const change = { 'src/globals.d.ts': 'interface Own {\n  b: string;\n}\n' };
    expect(await judgeChange(world, change)).toEqual({ kind: 'clean' });
  });
});

describe('where it skips them', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(program(true));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('a library is not what breaks', async () => {
    const change = { 'src/globals.d.ts': 'interface Shared {\n  a: string;\n}\n' };
    expect(await judgeChange(world, change)).toEqual({ kind: 'clean' });
  });

  test('an edit of a library reaches the files that import it', async () => {
    const change = {
      'node_modules/peer/index.d.ts': 'export interface Peer {}\n',
      'node_modules/lib/index.d.ts': 'export interface Lib {\n  q: number;\n}\n',
    };
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: ['src/use.ts'] });
  });

  test('so does its deletion', async () => {
    const change: DiskChange = { 'node_modules/lib/index.d.ts': 'removed' };
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: ['src/use.ts'] });
  });
});
