import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { Baseline } from './baseline.ts';
import { DiskSource } from './disk-source.ts';
import { rootPath } from './workspace-path.ts';

async function read(scratch: ScratchWorkspace, path: string): Promise<unknown> {
  return new DiskSource(scratch.workspace).read(scratch.workspace.path(path));
}

test('text, binary, a byte order mark and unusual bits are told apart', async () => {
  await using scratch = await ScratchWorkspace.create({
    text: 'ü\r\n',
    bom: '\uFEFFx',
    nul: 'a\0b',
    latin: new Uint8Array([0xfc]),
    run: '#!',
  });
  await chmod(scratch.at('run'), 0o755);
  expect(await read(scratch, 'text')).toEqual({ kind: 'text', text: 'ü\r\n' });
  expect(await read(scratch, 'bom')).toEqual({ kind: 'text', text: 'x', bom: true });
  expect(await read(scratch, 'nul')).toMatchObject({ kind: 'binary' });
  expect(await read(scratch, 'latin')).toMatchObject({ kind: 'binary' });
  expect(await read(scratch, 'run')).toEqual({ kind: 'text', text: '#!', mode: 0o755 });
});

test('where there is no file there is no content', async () => {
  await using scratch = await ScratchWorkspace.create({ 'dir/file': '' });
  for (const path of ['missing', 'dir', 'dir/file/below', '.', 'x'.repeat(300)]) {
    expect(await read(scratch, path), path).toBeUndefined();
  }
  expect(await new DiskSource(scratch.workspace).list(scratch.workspace.path('missing'))).toEqual([]);
});

describe('a link', () => {
  test('to a file inside is read through', async () => {
    await using scratch = await ScratchWorkspace.create({ 'dir/file': 'x' });
    await symlink('dir', scratch.at('alias'));
    await symlink('alias/file', scratch.at('link'));
    expect(await read(scratch, 'link')).toEqual({ kind: 'text', text: 'x' });
    expect(await read(scratch, 'alias/file')).toEqual({ kind: 'text', text: 'x' });
  });

  test.each([
    ['that dangles', 'nowhere'],
    ['that leads out', tmpdir()],
    ['that leads to itself', 'link'],
    ['to a directory inside', 'dir'],
  ])('%s is itself the content', async (_, target) => {
    await using scratch = await ScratchWorkspace.create({ 'dir/file': 'x' });
    await symlink(target, scratch.at('link'));
    expect(await read(scratch, 'link')).toEqual({ kind: 'symlink', target });
  });

  test('that leads out hides what is behind it', async () => {
    await using outside = await ScratchWorkspace.create({ secret: 'x' });
    await using scratch = await ScratchWorkspace.create();
    await symlink(outside.workspace.root, scratch.at('out'));
    await symlink('x', outside.at('link'));
    expect(await read(scratch, 'out/secret')).toBeUndefined();
    expect(await read(scratch, 'out/link')).toBeUndefined();
    expect(await new DiskSource(scratch.workspace).list(scratch.workspace.path('out'))).toEqual([]);
  });
});

test('a listing is sorted and names what is there', async () => {
  await using scratch = await ScratchWorkspace.create({ b: '', 'a/x': '' });
  await symlink('b', scratch.at('c'));
  expect(await new DiskSource(scratch.workspace).list(rootPath)).toEqual([
    { name: 'a', kind: 'directory' },
    { name: 'b', kind: 'file' },
    { name: 'c', kind: 'symlink' },
  ]);
});

test('a baseline stays what it was when first read, absence and listings included', async () => {
  await using scratch = await ScratchWorkspace.create({ a: 'old' });
  const { workspace } = scratch;
  const baseline = new Baseline(new DiskSource(workspace));
  const [a, b] = [workspace.path('a'), workspace.path('b')];
  const before = [await baseline.read(a), await baseline.read(b), await baseline.list(rootPath)];
  const frozen = baseline.frozen();
  await writeFile(scratch.at('a'), 'new');
  await writeFile(scratch.at('b'), 'new');
  await mkdir(scratch.at('d'));
  expect([await baseline.read(a), await baseline.read(b), await baseline.list(rootPath)]).toEqual(before);
  expect(baseline.frozen()).toEqual(frozen);
  expect(frozen.get(b)).toBe('absent');
  await rm(scratch.at('a'));
  expect([...frozen.keys()]).toEqual(['a', 'b']);
});
