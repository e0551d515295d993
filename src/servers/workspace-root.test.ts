import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inferRoot } from './workspace-root.ts';

let tree = '';

beforeAll(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-root-')));
  const files = [
    '.git/HEAD',
    'web/package.json',
    'web/src/app.ts',
    'web/src/page.js',
    'both/package.json',
    'both/pyproject.toml',
    'both/tool.py',
    'both/page.ts',
    'both/notes.txt',
    'net/App.sln',
    'net/src/A.cs',
    'cpp/CMakeLists.txt',
    'cpp/src/a.c',
    'dart/pubspec.yaml',
    'elixir/mix.exs',
    'gleam/gleam.toml',
    'jvm/build.gradle.kts',
    'jvm/Main.java',
    'plain/readme.md',
  ];
  for (const file of files) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), '');
  }
});

afterAll(() => rm(tree, { recursive: true, force: true }));

test.each([
  ['web/src/app.ts', 'web', 'typescript'],
  ['web/src/page.js', 'web', 'javascript'],
  ['web/src', 'web', 'typescript'],
  ['web/src/not/there/yet.ts', 'web', 'typescript'],
  ['both/tool.py', 'both', 'python'],
  ['both/page.ts', 'both', 'typescript'],
  ['both/notes.txt', 'both', 'typescript'],
  ['net/src/A.cs', 'net', 'csharp'],
  ['cpp/src/a.c', 'cpp', 'c'],
  ['cpp', 'cpp', 'cpp'],
  ['dart', 'dart', 'dart'],
  ['elixir', 'elixir', 'elixir'],
  ['gleam', 'gleam', 'gleam'],
  ['jvm/Main.java', 'jvm', 'java'],
  ['plain/readme.md', '', undefined],
])('%s belongs to the root %j with the language %s', async (path, root, language) => {
  const found = await inferRoot(join(tree, path), new AbortController().signal);
  expect(found).toEqual({ root: join(tree, root), ...(language && { language }) });
});

test('where nothing marks a root there is none', async () => {
  expect(await inferRoot('/', new AbortController().signal)).toBeUndefined();
});
