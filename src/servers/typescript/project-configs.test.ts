import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DiskState } from '../../workspace/disk-state.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { noEffect, type OverlayEffect } from '../projection.ts';
import { ProjectConfigs } from './project-configs.ts';

const calm = new AbortController().signal;

async function projects(
  files: Readonly<Record<string, unknown>>,
  effect: OverlayEffect = noEffect,
): Promise<readonly string[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-configs-')));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    const workspace = await Workspace.open(root);
    return await new ProjectConfigs(workspace, new DiskState(workspace)).under(effect, calm);
  } finally {
    await rm(root, { recursive: true });
  }
}

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['one configuration', { 'tsconfig.json': {} }, ['tsconfig.json']],
  ['a base that nobody opens is none', { 'tsconfig.json': {}, 'tsconfig.base.json': {} }, ['tsconfig.json']],
  [
    'a solution leads on to what it refers to, by file and by directory',
    {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.build.json' }, { path: 'tools' }] },
      'tsconfig.build.json': { references: [{ path: './deep/tsconfig.lib.json' }] },
      'deep/tsconfig.lib.json': {},
      'tools/tsconfig.json': {},
    },
    ['deep/tsconfig.lib.json', 'tools/tsconfig.json', 'tsconfig.build.json'],
  ],
  [
    'one that refers to others and has files of its own is a project',
    { 'tsconfig.json': { references: [{ path: 'a' }] }, 'a/tsconfig.json': {} },
    ['a/tsconfig.json', 'tsconfig.json'],
  ],
  [
    'what a script hands to the compiler',
    {
      'package.json': { scripts: { check: 'tsc --noEmit -p "tsconfig.test.json" && node x -p other.json' } },
      'tsconfig.test.json': {},
      'other.json': {},
    },
    ['tsconfig.test.json'],
  ],
  [
    'comments and trailing commas',
    { 'tsconfig.json': '{ // note\n "files": [], "references": [{"path": "a"},], }', 'a/tsconfig.json': {} },
    ['a/tsconfig.json'],
  ],
  [
    'a broken configuration is a project, which the compiler complains of',
    { 'tsconfig.json': '{' },
    ['tsconfig.json'],
  ],
  [
    'jsconfig.json counts where no tsconfig.json lies beside it',
    { 'a/jsconfig.json': {}, 'b/jsconfig.json': {}, 'b/tsconfig.json': {} },
    ['a/jsconfig.json', 'b/tsconfig.json'],
  ],
  ['installed packages have none', { 'node_modules/x/tsconfig.json': {}, 'package.json': {} }, []],
])('%s', async (_, files, expected) => {
  expect(await projects(files)).toEqual(expected);
});

test('an overlay brings and takes configurations', async () => {
  const effect: OverlayEffect = new Map<WorkspacePath, FileContent | 'removed'>([
    [childOf(rootPath, 'a/tsconfig.json'), 'removed'],
    [childOf(rootPath, 'b/tsconfig.json'), { kind: 'text', text: '{}' }],
  ]);
  expect(await projects({ 'a/tsconfig.json': {}, 'tsconfig.json': {} }, effect)).toEqual([
    'b/tsconfig.json',
    'tsconfig.json',
  ]);
});

test('what is extended follows the disk, and an overlay leaves no trace in it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-configs-')));
  try {
    const workspace = await Workspace.open(root);
    const disk = new DiskState(workspace);
    const configs = new ProjectConfigs(workspace, disk);
    const put = async (path: string, config: unknown, kind: 'created' | 'changed') => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), JSON.stringify(config));
      disk.report([{ path: childOf(rootPath, path), kind }]);
    };
    const extended = (effect: OverlayEffect = noEffect) => configs.extendedUnder(effect, calm);
    await put('tsconfig.json', { extends: './shared/strict' }, 'created');
    expect(await extended()).toEqual([]);
    await put('shared/strict.json', {}, 'created');
    expect(await extended()).toEqual(['shared/strict.json']);
    await put('shared/strict.json', { extends: './base.json' }, 'changed');
    await put('shared/base.json', {}, 'created');
    expect(await extended()).toEqual(['shared/strict.json', 'shared/base.json']);
    const shown = (text: string): OverlayEffect =>
      new Map([[childOf(rootPath, 'shared/strict.json'), { kind: 'text', text }]]);
    expect(await extended(shown('{}'))).toEqual(['shared/strict.json']);
    expect(await extended()).toEqual(['shared/strict.json', 'shared/base.json']);
    await put('tsconfig.json', {}, 'changed');
    expect(await extended()).toEqual([]);
    await put('other/tsconfig.json', { extends: '../shared/base.json' }, 'created');
    expect(await extended()).toEqual(['shared/base.json']);
    await rm(join(root, 'other'), { recursive: true });
    disk.report([{ path: childOf(rootPath, 'other'), kind: 'deleted' }]);
    expect(await extended()).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test('the configuration of a library is no project when a change brings or edits it', async () => {
  const edited = childOf(rootPath, 'node_modules/strict/tsconfig.json');
  const effect: OverlayEffect = new Map([[edited, { kind: 'text', text: '{}' }]]);
  expect(await projects({ 'tsconfig.json': { extends: 'strict/tsconfig.json' } }, effect)).toEqual([
    'tsconfig.json',
  ]);
});

test.each([1, 5, 20, 100])(
  'a project that comes while they are searched is found (%i turns)',
  async (turns) => {
    const deep = `${'d/'.repeat(40)}tsconfig.json`;
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-configs-')));
    try {
      await mkdir(dirname(join(root, deep)), { recursive: true });
      await writeFile(join(root, deep), '{}');
      const workspace = await Workspace.open(root);
      const disk = new DiskState(workspace);
      const configs = new ProjectConfigs(workspace, disk);
      const first = configs.under(noEffect, calm);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      writeFileSync(join(root, 'tsconfig.json'), '{}');
      disk.report([{ path: workspace.path('tsconfig.json'), kind: 'created' }]);
      await first;
      expect(await configs.under(noEffect, calm)).toEqual([deep, 'tsconfig.json']);
    } finally {
      await rm(root, { recursive: true });
    }
  },
);
