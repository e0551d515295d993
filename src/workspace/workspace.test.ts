import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { fromFileUri, toFileUri, Workspace } from './workspace.ts';

describe('a path is named', () => {
  test.each<[string, (root: string) => string, string]>([
    ['relative to the root', () => 'src/a.ts', 'src/a.ts'],
    ['with detours', () => './src/../src//a.ts', 'src/a.ts'],
    ['absolutely', (root) => `${root}/src/a.ts`, 'src/a.ts'],
    ['by URI', (root) => `file://${root}/src/a%20b.ts`, 'src/a b.ts'],
    ['by a URI that names this machine', (root) => `file://localhost${root}/a.ts`, 'a.ts'],
    ['by a URI without an authority', (root) => `file:${root}/a.ts`, 'a.ts'],
    ['as the root itself', () => '.', ''],
  ])('%s', async (_, spell, expected) => {
    await using scratch = await ScratchWorkspace.create();
    const input = spell(scratch.workspace.root);
    expect(scratch.workspace.path(input)).toBe(expected);
    expect(await scratch.workspace.resolve(input)).toBe(expected);
  });
});

describe('a path is refused', () => {
  test.each([
    ['../outside'],
    ['/etc/passwd'],
    ['src/../../outside'],
    ['file:///etc/passwd'],
    ['file://elsewhere/x'],
  ])('%s', async (input) => {
    await using scratch = await ScratchWorkspace.create();
    const { workspace } = scratch;
    const message = `file path "${input}" is outside workspace root "${workspace.root}"`;
    expect(() => workspace.path(input)).toThrow(
      expect.objectContaining({ message, code: 'workspace/outside' }),
    );
    await expect(workspace.resolve(input)).rejects.toMatchObject({ message, code: 'workspace/outside' });
  });

  test('with a NUL byte in it', async () => {
    await using scratch = await ScratchWorkspace.create();
    expect(() => scratch.workspace.path('a\0b')).toThrow(
      expect.objectContaining({ code: 'workspace/invalid-path' }),
    );
  });

  test('beside the root with a longer name', async () => {
    await using scratch = await ScratchWorkspace.create();
    const { workspace } = scratch;
    expect(() => workspace.path(`${workspace.root}-other/a`)).toThrow('is outside workspace root');
  });
});

describe('links', () => {
  test('inside are resolved to the one name of the file', async () => {
    await using scratch = await ScratchWorkspace.create({ 'real/a.ts': '' });
    await symlink('real', scratch.at('alias'));
    expect(await scratch.workspace.resolve('alias/a.ts')).toBe('real/a.ts');
    expect(await scratch.workspace.resolve('alias/not/yet.ts')).toBe('real/not/yet.ts');
    expect(await scratch.workspace.resolveEntry('alias')).toBe('alias');
  });

  test.each([
    ['to a directory', async (scratch: ScratchWorkspace) => symlink(tmpdir(), scratch.at('out'))],
    [
      'to nothing yet',
      async (scratch: ScratchWorkspace) => symlink('../../nothing-there', scratch.at('out')),
    ],
  ])('that lead out %s are refused', async (_, make) => {
    await using scratch = await ScratchWorkspace.create();
    await make(scratch);
    await expect(scratch.workspace.resolve('out/new.ts')).rejects.toMatchObject({
      code: 'workspace/outside',
    });
    expect(scratch.workspace.path('out/new.ts')).toBe('out/new.ts');
  });

  test('in the spelling of the root do not matter', async () => {
    await using scratch = await ScratchWorkspace.create({ 'root/a.ts': '' });
    await symlink('root', scratch.at('spelled'));
    const workspace = await Workspace.open(scratch.at('spelled'));
    expect(workspace.root).toBe(await realpath(scratch.at('root')));
    expect(workspace.path(join(scratch.at('spelled'), 'a.ts'))).toBe('a.ts');
    expect(await workspace.resolve(join(scratch.at('spelled'), 'a.ts'))).toBe('a.ts');
    expect(workspace.fromUri(toFileUri(join(scratch.at('spelled'), 'a.ts')))).toBe('a.ts');
  });
});

test('a workspace needs a directory', async () => {
  await using scratch = await ScratchWorkspace.create({ file: '' });
  for (const input of ['file', 'missing']) {
    await expect(Workspace.open(scratch.at(input))).rejects.toMatchObject({
      code: 'workspace/not-a-directory',
    });
  }
});

test('a workspace may hold any name', async () => {
  await using scratch = await ScratchWorkspace.create();
  const { workspace } = scratch;
  for (const name of ['a#b?c.ts', 'ünï 😀.ts', '100%.ts', 'file:x', '..a', 'a..']) {
    await mkdir(scratch.at('d'), { recursive: true });
    await writeFile(scratch.at(`d/${name}`), '');
    const path = workspace.path(`d/${name}`);
    expect(workspace.fromUri(workspace.uri(path))).toBe(path);
    expect(await workspace.resolve(workspace.uri(path))).toBe(path);
  }
});

describe('file URIs', () => {
  test.each<[string, NodeJS.Platform, string, string | undefined]>([
    ['a drive', 'win32', 'file:///C:/Users/x', 'c:\\Users\\x'],
    ['an escaped drive', 'win32', 'file:///c%3A/Users/x%20y', 'c:\\Users\\x y'],
    ['a drive where the host belongs', 'win32', 'file://C:\\Users\\x', 'c:\\Users\\x'],
    ['a drive with two slashes', 'win32', 'file://D:/x', 'd:\\x'],
    ['a share', 'win32', 'file://server/share/x', '\\\\server\\share\\x'],
    ['a host elsewhere', 'linux', 'file://server/x', undefined],
    ['upper-case scheme', 'linux', 'FILE:///x', '/x'],
    ['a fragment', 'linux', 'file:///x#L3', '/x'],
    ['a broken escape', 'linux', 'file:///x%zz', undefined],
    ['a NUL byte', 'linux', 'file:///x%00', undefined],
    ['another scheme', 'linux', 'untitled:x', undefined],
  ])('%s', (_, platform, uri, path) => {
    expect(fromFileUri(uri, platform)).toBe(path);
  });

  test.each<[NodeJS.Platform, string, string]>([
    ['win32', 'C:\\a b\\c.ts', 'file:///c%3A/a%20b/c.ts'],
    ['win32', '\\\\server\\share\\x', 'file://server/share/x'],
    ['linux', "/a/(b)!'*.ts", 'file:///a/%28b%29%21%27%2A.ts'],
  ])('on %s %s is %s', (platform, path, uri) => {
    expect(toFileUri(path, platform)).toBe(uri);
  });

  test('name the path they were made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        fc.pre(!name.includes('\0'));
        expect(fromFileUri(toFileUri(`/${name}`, 'linux'), 'linux')).toBe(`/${name}`);
      }),
    );
  });
});
