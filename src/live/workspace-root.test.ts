import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inferProject, inferWorkspace } from './workspace-root.ts';

let tree = '';
const signal = new AbortController().signal;

const files: Readonly<Record<string, string>> = {
  'repo/.git/HEAD': '',
  'repo/web/package.json': '',
  'repo/web/src/app.ts': '',
  'repo/web/src/page.js': '',
  'repo/both/package.json': '',
  'repo/both/pyproject.toml': '',
  'repo/both/tool.py': '',
  'repo/both/page.ts': '',
  'repo/both/notes.txt': '',
  'repo/net/App.sln': '',
  'repo/net/src/A.cs': '',
  'repo/cpp/CMakeLists.txt': '',
  'repo/cpp/src/a.c': '',
  'repo/dart/pubspec.yaml': '',
  'repo/elixir/mix.exs': '',
  'repo/gleam/gleam.toml': '',
  'repo/jvm/build.gradle.kts': '',
  'repo/jvm/Main.java': '',
  'repo/plain/readme.md': '',
  'repo/module/.git': 'gitdir: ../.git/modules/module\n',
  'repo/module/lib/package.json': '{}',
  'repo/module/lib/a.ts': '',
  'repo/nested/.git/HEAD': '',
  'repo/nested/a.ts': '',
  'repo/package.json': '{"workspaces":["*"]}',
  'pnpm/pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n  - "!packages/old"\n',
  'pnpm/package.json': '{}',
  'pnpm/packages/a/package.json': '{}',
  'pnpm/packages/a/test/fixture/package.json': '{}',
  'pnpm/packages/old/package.json': '{}',
  'pnpm/tool/package.json': '{}',
  'settings/pnpm-workspace.yaml': 'catalog: {}\n',
  'settings/a/package.json': '{}',
  'npm/package.json': '{"workspaces":["./apps/**"]}',
  'npm/apps/deep/a/package.json': '{}',
  'npm/other/package.json': '{}',
  'yarn/package.json': '{"workspaces":{"packages":["a"]}}',
  'yarn/a/package.json': '{}',
  'half/package.json': '{"workspaces":["a',
  'half/a/package.json': '{}',
  'go/go.work': 'go 1.22\nuse ./a\n',
  'go/a/go.mod': 'module a\n',
  'go/b/go.mod': 'module b\n',
  'cargo/Cargo.toml': '[workspace]\nmembers = ["a"]\nexclude = ["fuzz"]\n',
  'cargo/a/Cargo.toml': '[package]\nname = "a"\n',
  'cargo/a/src/lib.rs': '',
  'cargo/fuzz/Cargo.toml': '[package]\nname = "fuzz"\n',
  'uv/pyproject.toml': '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/old"]\n',
  'uv/libs/a/pyproject.toml': '[project]\nname = "a"\n',
  'uv/libs/old/pyproject.toml': '[project]\nname = "old"\n',
  'gradle/settings.gradle.kts': '',
  'gradle/app/build.gradle.kts': '',
  'mixed/package.json': '{"workspaces":["packages/*"]}',
  'mixed/packages/native/package.json': '{}',
  'mixed/packages/native/Cargo.toml': '[workspace]\n',
  'mixed/packages/native/src/lib.rs': '',
  'apart/package.json': '{}',
  'apart/sub/package.json': '{}',
  'home/.git/HEAD': '',
  'home/package.json': '{"workspaces":["*"]}',
  'home/notes/a.ts': '',
  'home/a.ts': '',
  'home/project/package.json': '{}',
  'home/project/src/a.ts': '',
  'shared/package.json': '{}',
  'shared/mine/a.ts': '',
};

beforeAll(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-root-')));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), text);
  }
  await chmod(join(tree, 'shared'), 0o1777);
  await symlink(join(tree, 'pnpm/packages'), join(tree, 'linked'));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

const env = () => ({ HOME: join(tree, 'home') });

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
  ['plain/readme.md', '', 'typescript'],
  ['nested/a.ts', 'nested', undefined],
])('%s is in the project %j with the language %s', async (path, root, language) => {
  const found = await inferProject(join(tree, 'repo', path), env(), signal);
  expect(found).toEqual({ root: join(tree, 'repo', root), ...(language && { language }) });
});

test.each([
  ['repo/web/src/app.ts', 'repo'],
  ['repo/web/src/not/there/yet.ts', 'repo'],
  ['repo/web', 'repo'],
  ['repo/plain/readme.md', 'repo'],
  // A submodule and a repository inside another one are their own.
  ['repo/module/lib/a.ts', 'repo/module'],
  ['repo/nested/a.ts', 'repo/nested'],
  ['pnpm/packages/a/src/a.ts', 'pnpm'],
  ['pnpm/packages/a/test/fixture/a.ts', 'pnpm'],
  ['pnpm/packages/new/a.ts', 'pnpm'],
  ['pnpm/packages/old/a.ts', 'pnpm/packages/old'],
  ['pnpm/tool/a.ts', 'pnpm/tool'],
  ['pnpm/a.ts', 'pnpm'],
  ['linked/a/src/a.ts', 'pnpm'],
  ['settings/a/a.ts', 'settings'],
  ['npm/apps/deep/a/a.ts', 'npm'],
  ['npm/other/a.ts', 'npm/other'],
  ['yarn/a/a.ts', 'yarn'],
  ['half/a/a.ts', 'half'],
  ['go/a/a.go', 'go'],
  ['go/b/b.go', 'go'],
  ['cargo/a/src/lib.rs', 'cargo'],
  ['cargo/fuzz/src/main.rs', 'cargo/fuzz'],
  ['uv/libs/a/a.py', 'uv'],
  ['uv/libs/old/a.py', 'uv/libs/old'],
  ['gradle/app/Main.kt', 'gradle'],
  ['mixed/packages/native/src/lib.rs', 'mixed'],
  ['apart/sub/a.ts', 'apart/sub'],
  ['home/project/src/a.ts', 'home/project'],
])('%s is bound by the workspace %j', async (path, root) => {
  expect((await inferWorkspace(join(tree, path), env(), signal))?.root).toBe(join(tree, root));
});

test.each([
  ['home/notes/a.ts', 'a repository in the home directory'],
  ['home/a.ts', 'the home directory itself'],
  ['shared/mine/a.ts', 'a directory in which every user may create files'],
  ['gone/a.ts', 'nothing'],
])('%s has no workspace: %s is none', async (path) => {
  expect(await inferWorkspace(join(tree, path), env(), signal)).toBeUndefined();
  expect(await inferProject(join(tree, path), env(), signal)).toBeUndefined();
});

test('a home directory is a workspace where it was named itself', async () => {
  expect((await inferWorkspace(join(tree, 'home'), env(), signal))?.root).toBe(join(tree, 'home'));
});

test('the root of the file system is no workspace of what lies below it', async () => {
  expect(await inferWorkspace('/not-there/a.ts', env(), signal)).toBeUndefined();
});

test('a manifest that leads to a device is not read', async () => {
  await mkdir(join(tree, 'endless/a'), { recursive: true });
  await symlink('/dev/zero', join(tree, 'endless/package.json'));
  await writeFile(join(tree, 'endless/a/package.json'), '{}');
  expect((await inferWorkspace(join(tree, 'endless/a/a.ts'), env(), signal))?.root).toBe(
    join(tree, 'endless/a'),
  );
});
