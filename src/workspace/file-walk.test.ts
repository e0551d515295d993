import { symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { listFiles } from './file-walk.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { parseWorkspacePath } from './workspace-path.ts';

const never = new AbortController().signal;

test('a walk names each source once, in order, and enters nothing that is ignored', async () => {
  await using scratch = await ScratchWorkspace.create({
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
  await using scratch = await ScratchWorkspace.create({ 'package/package.json': '{}' });
  const rules = new IgnoreRules(scratch.workspace);
  expect(rules.ignores(parseWorkspacePath(path) ?? expect.fail())).toBe(expected);
});

test('sources in a directory called build are found, output beside a manifest is not', async () => {
  await using scratch = await ScratchWorkspace.create({
    'src/build/step.ts': '',
    'package/package.json': '{}',
    'package/build/step.js': '',
  });
  expect(await listFiles(scratch.workspace, {}, never)).toEqual([
    'package/package.json',
    'src/build/step.ts',
  ]);
});
