import { symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { listFiles } from './file-walk.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { Workspace } from './workspace.ts';
import { parseWorkspacePath } from './workspace-path.ts';

const never = new AbortController().signal;

test('a walk names each source once, in order, and enters nothing that is ignored', async () => {
  await using scratch = await ScratchWorkspace.create({
    '.gitignore': '/dist\ntarget/\n',
    'b.ts': '',
    'a.py': '',
    '.eslintrc.ts': '',
    build: '',
    'src/dist.ts': '',
    'src/deep/x.ts': '',
    'node_modules/m/index.ts': '',
    'src/node_modules/m/index.ts': '',
    'dist/out.ts': '',
    'target/t.ts': '',
    '.hidden/h.ts': '',
    'pkg/__pycache__/c.ts': '',
  });
  await symlink('src', scratch.at('alias'));
  await symlink('b.ts', scratch.at('link.ts'));
  expect(await listFiles(scratch.workspace, {}, never)).toEqual([
    '.eslintrc.ts',
    '.gitignore',
    'a.py',
    'b.ts',
    'build',
    'src/deep/x.ts',
    'src/dist.ts',
  ]);
  expect(await listFiles(scratch.workspace, { extensions: new Set(['py']) }, never)).toEqual(['a.py']);
  expect(await listFiles(scratch.workspace, { matches: (name) => name === 'x.ts' }, never)).toEqual([
    'src/deep/x.ts',
  ]);
});

test('a walk stops when it is told to', async () => {
  await using scratch = await ScratchWorkspace.create();
  await expect(listFiles(scratch.workspace, {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
    'enough',
  );
});

test.each([
  ['src/a.ts', false],
  ['src/build', false],
  ['build/a.ts', true],
  ['package/dist/a.js', true],
  ['package/src/dist/a.ts', false],
  ['src/vendor/a.go', false],
  ['.github/workflows/ci.yml', true],
  ['.gitignore', false],
  ['node_modules', true],
  ['a/.git', true],
])('that %s is ignored is %s', async (path, expected) => {
  await using scratch = await ScratchWorkspace.create({
    'package/package.json': '{}',
    '.gitignore': 'build\ndist\nvendor\n',
  });
  const rules = new IgnoreRules(scratch.workspace);
  expect(rules.ignores(parseWorkspacePath(path) ?? expect.fail())).toBe(expected);
});

const walks: readonly [string, Readonly<Record<string, string>>, readonly string[]][] = [
  [
    'a directory called build anywhere but beside a manifest',
    { '.gitignore': 'build/', 'src/build/a.ts': '', 'p/package.json': '', 'p/build/a.ts': '' },
    ['src/build/a.ts'],
  ],
  [
    'directories of any name that nothing calls output',
    { 'package.json': '', 'build/a.ts': '', 'dist/a.ts': '', 'vendor/a.ts': '', 'target/a.ts': '' },
    ['build/a.ts', 'dist/a.ts', 'target/a.ts', 'vendor/a.ts'],
  ],
  [
    'not where a compiler writes',
    { 'tsconfig.json': '{"compilerOptions": {"outDir": "./dist/"}}', 'dist/a.ts': '', 'build/a.ts': '' },
    ['build/a.ts'],
  ],
  ['not what a tool has marked', { 'target/CACHEDIR.TAG': '', 'target/a.ts': '', 'a.ts': '' }, ['a.ts']],
  [
    'what git ignores and a project includes',
    { '.gitignore': 'build', 'tsconfig.json': '{"include": ["build/**/*"]}', 'build/a.ts': '' },
    ['build/a.ts'],
  ],
  ['what git is told to keep', { '.gitignore': 'build\n!/build\n', 'build/a.ts': '' }, ['build/a.ts']],
  [
    'a hidden directory that a project names',
    {
      'tsconfig.json': '{"include": ["src", "./.storybook/*.ts"]}',
      '.storybook/a.ts': '',
      '.other/a.ts': '',
    },
    ['.storybook/a.ts'],
  ],
  ['a package called venv', { 'venv/__init__.ts': '' }, ['venv/__init__.ts']],
  [
    'no environment, whatever its name',
    { 'venv/pyvenv.cfg': '', 'venv/a.ts': '', 'e/conda-meta/x.ts': '' },
    [],
  ],
];

test.each(walks)('a walk finds %s', async (_, files, expected) => {
  await using scratch = await ScratchWorkspace.create(files);
  expect(await listFiles(scratch.workspace, { extensions: new Set(['ts']) }, never)).toEqual(expected);
});

test('what is output to one reader is found by another', async () => {
  await using scratch = await ScratchWorkspace.create({ '.gitignore': 'build', 'build/a.py': '' });
  expect(await listFiles(scratch.workspace, { rule: 'sources-and-outputs' }, never)).toEqual([
    '.gitignore',
    'build/a.py',
  ]);
});

const unignored: readonly [string, Readonly<Record<string, string>>, readonly string[]][] = [
  [
    'nothing a .gitignore names, at any depth',
    { '.gitignore': '*.gen.ts\ntmp/\n', 'a.ts': '', 'b.gen.ts': '', 'src/tmp/c.ts': '', 'src/d.gen.ts': '' },
    ['a.ts'],
  ],
  [
    'what an inner .gitignore keeps',
    { '.gitignore': '*.gen.ts', 'src/.gitignore': '!kept.gen.ts', 'src/kept.gen.ts': '', 'src/a.gen.ts': '' },
    ['src/kept.gen.ts'],
  ],
  [
    'nothing below an ignored directory, whatever is kept there',
    { '.gitignore': 'out/\n!out/a.ts\n', 'out/.gitignore': '!*', 'out/a.ts': '', 'b.ts': '' },
    ['b.ts'],
  ],
  [
    'what an anchored pattern does not reach',
    { '.gitignore': '/lib\n', 'lib/a.ts': '', 'src/lib/a.ts': '' },
    ['src/lib/a.ts'],
  ],
  [
    'a name that differs in case only',
    { '.gitignore': 'Build.ts', 'build.ts': '', 'Build.ts': '' },
    ['build.ts'],
  ],
];

test.each(unignored)('a listing finds %s', async (_, files, expected) => {
  await using scratch = await ScratchWorkspace.create(files);
  const filter = { rule: 'unignored', extensions: new Set(['ts']) } as const;
  expect(await listFiles(scratch.workspace, filter, never)).toEqual(expected);
});

test('a walk for a verdict finds what git ignores', async () => {
  const files = { '.gitignore': '*.gen.ts\ngenerated/\n', 'a.gen.ts': '', 'generated/b.ts': '' };
  await using scratch = await ScratchWorkspace.create(files);
  expect(await listFiles(scratch.workspace, { extensions: new Set(['ts']) }, never)).toEqual([
    'a.gen.ts',
    'generated/b.ts',
  ]);
});

test('the ignore files of the repository around a workspace apply, unless they ignore the workspace itself', async () => {
  await using scratch = await ScratchWorkspace.create({
    '.git/HEAD': '',
    '.gitignore': '*.log\n/ignored/**\n',
    'package/a.ts': '',
    'package/b.log': '',
    'ignored/deep/a.ts': '',
    'ignored/deep/b.log': '',
  });
  const below = async (name: string) =>
    listFiles(await Workspace.open(scratch.at(name)), { rule: 'unignored' }, never);
  expect(await below('package')).toEqual(['a.ts']);
  expect(await below('ignored/deep')).toEqual(['a.ts', 'b.log']);
});

test("git's own exclude file applies, after every .gitignore, and linked worktrees share it", async () => {
  await using scratch = await ScratchWorkspace.create({
    'main/.git/info/exclude': '*.log\n/dist/\n',
    'main/.gitignore': '!kept.log\n',
    'main/a.log': '',
    'main/kept.log': '',
    'main/dist/a.ts': '',
    'main/package.json': '{}',
    'main/package/b.log': '',
    'main/package/b.ts': '',
    'main/.git/worktrees/linked/commondir': '../..\n',
    'linked/.git': 'gitdir: ../main/.git/worktrees/linked\n',
    'linked/c.log': '',
    'linked/c.ts': '',
  });
  const below = async (name: string) =>
    listFiles(await Workspace.open(scratch.at(name)), { rule: 'unignored' }, never);
  expect(await below('main')).toEqual(['.gitignore', 'kept.log', 'package.json', 'package/b.ts']);
  expect(await below('main/package')).toEqual(['b.ts']);
  expect(await below('linked')).toEqual(['c.ts']);
  const sources = { extensions: new Set(['ts']) };
  expect(await listFiles(await Workspace.open(scratch.at('main')), sources, never)).toEqual(['package/b.ts']);
});

test('output is not decided by the ignored directory it lies in', async () => {
  await using scratch = await ScratchWorkspace.create({
    '.gitignore': 'generated/\n',
    'generated/package.json': '{}',
    'generated/build/a.ts': '',
  });
  expect(await listFiles(scratch.workspace, { extensions: new Set(['ts']) }, never)).toEqual([
    'generated/build/a.ts',
  ]);
});
