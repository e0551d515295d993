import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { InstalledPackages } from './installed-packages.ts';

async function link(scratch: ScratchWorkspace, path: string, target: string): Promise<void> {
  await mkdir(dirname(scratch.at(path)), { recursive: true });
  await symlink(target, scratch.at(path));
}

const files = {
  'packages/core/package.json': '{ "name": "core" }',
  'packages/core/index.ts': '',
  'node_modules/lib/package.json': '{ "name": "lib", "dependencies": { "inner": "1", "absent": "1" } }',
  'node_modules/inner/package.json': '{ "name": "inner", "dependencies": { "lib": "1" } }',
  'node_modules/plugin/package.json': '{ "name": "plugin", "peerDependencies": { "core": "*" } }',
  'node_modules/outer/package.json': '{ "name": "outer", "dependencies": { "plugin": "1" } }',
  'node_modules/bare/index.js': '',
  'node_modules/broken/package.json': '{ "name": ',
  'node_modules/@types/core2/package.json': '{ "name": "@types/core2" }',
  'node_modules/lone.d.ts': '',
  'node_modules/@types/typed.ts': '',
  'node_modules/loner.txt': '',
  'node_modules/@types/scope__x/package.json': '{ "dependencies": { "core": "1" } }',
};

test('a package is the workspace, a library, or a library that needs the workspace', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  await link(scratch, 'node_modules/core', '../packages/core');
  await link(scratch, 'node_modules/core2', '../packages/core');
  await link(scratch, 'node_modules/endless', 'endless');
  const packages = new InstalledPackages(scratch.workspace.root);
  const kindOf = (name: string) => packages.find('packages/core/src', name).kind;
  expect(packages.find('', 'core')).toEqual({ kind: 'workspace', directory: 'packages/core' });
  expect(kindOf('lib')).toBe('library');
  expect(kindOf('inner')).toBe('library');
  expect(kindOf('plugin')).toBe('dependent');
  expect(kindOf('outer')).toBe('dependent');
  // Without a manifest nothing is known of what it needs.
  expect(kindOf('bare')).toBe('dependent');
  expect(kindOf('broken')).toBe('dependent');
  // Types that are installed apart may stand for those of the package.
  expect(kindOf('core2')).toBe('dependent');
  expect(kindOf('@scope/x')).toBe('dependent');
  // A file without a package may import anything.
  expect(['lone', 'typed', 'loner'].map(kindOf)).toEqual(['dependent', 'dependent', 'missing']);
  expect(kindOf('endless')).toBe('missing');
  expect(kindOf('nothing-of-this-name')).toBe('missing');
});

test('the nearest directory of packages decides', async () => {
  await using scratch = await ScratchWorkspace.create({
    ...files,
    'app/node_modules/core/package.json': '{ "name": "core" }',
  });
  await link(scratch, 'node_modules/core', '../packages/core');
  const packages = new InstalledPackages(scratch.workspace.root);
  expect(packages.find('app/src', 'core').kind).toBe('library');
  expect(packages.find('other', 'core').kind).toBe('workspace');
});

test('what is linked or removed later is seen, without any event', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  const packages = new InstalledPackages(scratch.workspace.root);
  expect(packages.find('src', 'core').kind).toBe('missing');
  expect(packages.renew()).toBe(false);
  await link(scratch, 'node_modules/core', '../packages/core');
  expect(packages.renew()).toBe(true);
  expect(packages.find('src', 'core').kind).toBe('workspace');
  await rm(scratch.at('node_modules/core'));
  expect(packages.renew()).toBe(true);
  expect(packages.find('src', 'core').kind).toBe('missing');
});
