/** A file has each name that a link gives it, and a change is judged under all of them. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DiskChange, filesWithErrors, judgeChange } from '../support/truth/judged-change.ts';
import { calm, World } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

/** The link exists before the workspace is opened. */
async function openLinked(files: Files, links: Files): Promise<World> {
  const world = await World.open(files);
  for (const [link, target] of Object.entries(links)) {
    await mkdir(dirname(join(world.root, link)), { recursive: true });
    await symlink(target, join(world.root, link));
  }
  return world;
}

const number = 'export const v: number = 1;\n';
const text = "export const v: string = '';\n";

const tsconfig = (options: object, rest: object = {}): string =>
  JSON.stringify({
    compilerOptions: {
      ...{ strict: true, noEmit: true, types: [], module: 'esnext', moduleResolution: 'bundler' },
      ...options,
    },
    ...rest,
  });

describe('TypeScript', () => {
  let world: World;

  beforeAll(async () => {
    world = await openLinked(
      {
        'tsconfig.json': tsconfig({}, { exclude: ['outside', 'docs'] }),
        'real/a.ts': number,
        'real/near.ts': "import { t } from './t';\nexport const n: number = t;\n",
        'real/t.ts': 'export const t: number = 1;\n',
        'real/global.d.ts': 'declare const shared: number;\n',
        'src/t.ts': 'export const t: number = 1;\n',
        'src/by-file.ts': "import { v } from './file';\nexport const n: number = v;\n",
        'src/by-directory.ts': "import { v } from './directory/a';\nexport const n: number = v;\n",
        'src/alone.ts': 'export const alone: number = 1;\n',
        'outside/only.ts': number,
        'src/by-outside.ts': "import { v } from './inside';\nexport const n: number = v;\n",
      },
      {
        'src/file.ts': '../real/a.ts',
        'src/near.ts': '../real/near.ts',
        'src/directory': '../real',
        'src/inside.ts': '../outside/only.ts',
        'docs/nowhere': '../../..',
      },
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each<[about: string, change: DiskChange]>([
    ['what is imported by a link to the file and through a linked directory', { 'real/a.ts': text }],
    [
      'a body that no other file sees, and an error in it',
      { 'real/a.ts': "export const v: number = (() => 'x')();\n" },
    ],
    ['what a linked file imports from where its link lies', { 'src/t.ts': "export const t: string = '';\n" }],
    ['what it imports from where it lies itself', { 'real/t.ts': "export const t: string = '';\n" }],
    ['a file that is gone under each name', { 'real/a.ts': 'removed' }],
    ['a file that no project reads but by a link', { 'outside/only.ts': text }],
    ['a file without another name', { 'src/alone.ts': "export const alone: number = '';\n" }],
  ])('%s', async (_, change) => {
    const files = await filesWithErrors(world, change);
    expect(files).not.toEqual([]);
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: files });
  });

  test('a change that breaks under no name is clean', async () => {
    const change = { 'real/a.ts': `// A comment.\n${number}`, 'outside/only.ts': `${number}\n` };
    expect(await filesWithErrors(world, change)).toEqual([]);
    expect(await judgeChange(world, change)).toEqual({ kind: 'clean' });
  });

  test('a file that was missing when the disk was last looked at has its names again', async () => {
    const at = join(world.root, 'real/a.ts');
    await rm(at);
    try {
      await world.live.syncWithDisk(calm);
    } finally {
      await writeFile(at, number);
    }
    const gone: DiskChange = { 'real/a.ts': 'removed' };
    const files = ['src/by-directory.ts', 'src/by-file.ts'];
    expect(await judgeChange(world, gone)).toMatchObject({ kind: 'broken', in: files });
  });

  test('a file that is created where a link leads is created under the name of the link', async () => {
    await symlink('../real/later.ts', join(world.root, 'src/early.ts'));
    const change = {
      'real/later.ts': number,
      'src/alone.ts': "import { v } from './early';\nexport const s: string = v;\n",
    };
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: ['src/alone.ts'] });
  });

  test('a link that another program has just made is known to the next verdict', async () => {
    await symlink('../real/t.ts', join(world.root, 'src/late.ts'));
    await writeFile(
      join(world.root, 'src/by-late.ts'),
      "import { t } from './late';\nexport const n: number = t;\n",
    );
    const change = { 'real/t.ts': "export const t: string = '';\n" };
    const files = await filesWithErrors(world, change);
    expect(files).toContain('src/by-late.ts');
    expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', in: files });
  });

  test('what another program writes to a file is known under its other names', async () => {
    const at = join(world.root, 'real/a.ts');
    await judgeChange(world, { 'src/alone.ts': 'export const alone: number = 2;\n' });
    await writeFile(at, text);
    try {
      const repaired = {
        'src/by-directory.ts': "import { v } from './directory/a';\nexport const s: string = v;\n",
      };
      expect(await judgeChange(world, repaired)).toEqual({ kind: 'clean' });
      const broken = { 'src/by-file.ts': "import { v } from './file';\nexport const s: boolean = v;\n" };
      expect(await judgeChange(world, broken)).toMatchObject({ kind: 'broken', in: ['src/by-file.ts'] });
    } finally {
      await writeFile(at, number);
    }
  });
});

test('a package that keeps the path of a link to it is not judged', async () => {
  const manifest = (name: string, rest: object = {}): string =>
    JSON.stringify({ name, type: 'module', ...rest });
  await using world = await openLinked(
    {
      'package.json': manifest('root', { workspaces: ['packages/*'] }),
      'packages/kit/package.json': manifest('kit', { exports: './index.ts' }),
      'packages/kit/tsconfig.json': tsconfig({}),
      'packages/kit/index.ts': number,
      'packages/app/package.json': manifest('app', { dependencies: { kit: '*' } }),
      'packages/app/tsconfig.json': tsconfig({ preserveSymlinks: true }),
      'packages/app/main.ts': "import { v } from 'kit';\nexport const n: number = v;\n",
    },
    { 'packages/app/node_modules/kit': '../../kit' },
  );
  const verdict = await judgeChange(world, { 'packages/kit/index.ts': text });
  expect(verdict).toEqual({
    kind: 'unknown',
    why: [
      'packages/app/tsconfig.json reads node_modules/kit/index.ts, a link to it, in which the change was not shown.',
    ],
  });
});

test('nor is one that the only project reads so', async () => {
  await using world = await openLinked(
    {
      'package.json': '{ "name": "app", "type": "module" }',
      'tsconfig.json': tsconfig({ preserveSymlinks: true }),
      'packages/kit/package.json': '{ "name": "kit", "type": "module", "exports": "./index.ts" }',
      'packages/kit/index.ts': number,
      'main.ts': "import { v } from 'kit';\nexport const n: number = v;\n",
    },
    { 'node_modules/kit': '../packages/kit' },
  );
  expect(await judgeChange(world, { 'packages/kit/index.ts': text })).toMatchObject({ kind: 'unknown' });
  const body = { 'packages/kit/index.ts': 'export const v: number = 2;\n' };
  expect(await judgeChange(world, body)).toEqual({ kind: 'clean' });
});

test('Python imports by a link and through a linked directory', async () => {
  await using world = await openLinked(
    {
      'real/__init__.py': '',
      'real/a.py': 'v: int = 1\n',
      'pkg/__init__.py': '',
      'pkg/by_file.py': 'from .link import v\n\nn: int = v\n',
      'pkg/by_directory.py': 'from .linked.a import v\n\nn: int = v\n',
    },
    { 'pkg/link.py': '../real/a.py', 'pkg/linked': '../real' },
  );
  expect(await judgeChange(world, { 'real/a.py': "v: str = ''\n" })).toMatchObject({
    kind: 'broken',
    in: ['pkg/by_directory.py', 'pkg/by_file.py'],
  });
  expect(await judgeChange(world, { 'real/a.py': 'v: int = 2\n' })).toEqual({ kind: 'clean' });
});
