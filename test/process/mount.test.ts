import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { type MountMethod, probeMounts } from '../../src/sandbox/mount.ts';
import { type MountedWorkspace, mountWorkspace } from '../../src/sandbox/mounted-workspace.ts';
import type { FileContent } from '../../src/workspace/file-content.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { MountTrial } from '../children/mount-trial.ts';
import { childProgram } from '../support/child-program.ts';
import { describeTree } from '../support/tree-hash.ts';

const { signal } = new AbortController();
const probed = await probeMounts({ log: silentLog, env: process.env }, signal);
const copying: MountMethod = { kind: 'copy', scratch: tmpdir(), because: 'the test asks for it' };
const methods: MountMethod[] = probed.kind === 'copy' ? [copying] : [probed, copying];

/** What mount options, shells and argument lists give a meaning to. */
const oddName = 'my ws, a:b\\c "d" \'e\' $f;g';

let outside = '';
let workspace: Workspace;

beforeEach(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'forerun-test-')));
  await chmod(outside, 0o755);
  await plant({
    'changed.txt': 'disk',
    'removed.txt': 'disk',
    'kept/deep/kept.txt': 'disk',
    'run.sh': '#!/bin/sh',
    'node_modules/dep/index.js': 'dep',
    'node_modules/dep/lib/a.js': 'a',
    '.git/HEAD': 'ref',
  });
  await chmod(join(outside, oddName, 'run.sh'), 0o755);
  workspace = await Workspace.open(join(outside, oddName));
});

afterEach(() => rm(outside, { recursive: true, force: true }));

describe.each(methods)('a workspace mounted by $kind', (method) => {
  test('shows what is written, removed and restored, and leaves the real tree alone', async () => {
    const before = await describeTree(workspace.root);
    {
      await using mount = await open(method);
      expect(mount.kind).toBe(method.kind);
      await write(mount, { 'changed.txt': 'overlay', 'new/deep/file.txt': 'new' });
      await mount.remove(workspace.path('removed.txt'));
      await mount.remove(workspace.path('never/there.txt'));
      expect(await look(mount)).toEqual({
        'changed.txt': 'overlay',
        'kept/deep/kept.txt': 'disk',
        'new/deep/file.txt': 'new',
        'run.sh': '#!/bin/sh',
      });
      await restore(mount, ['changed.txt', 'new/deep/file.txt', 'removed.txt', 'never/there.txt']);
      expect(await look(mount)).toEqual({
        'changed.txt': 'disk',
        'kept/deep/kept.txt': 'disk',
        'removed.txt': 'disk',
        'run.sh': '#!/bin/sh',
      });
      expect(await inside(mount, ['ls'])).not.toContain('new');
    }
    expect(await describeTree(workspace.root)).toEqual(before);
  });

  test('runs a command in the workspace, under the pid it was started with', async () => {
    await using mount = await open(method);
    expect(await inside(mount, ['pwd'])).toBe(`${mount.root}\n`);
    expect(await inside(mount, ['pwd'], join(mount.root, 'kept'))).toBe(`${mount.root}/kept\n`);
    if (method.kind === 'namespace') expect(mount.root).toBe(workspace.root);
    const [program = '', ...args] = mount.wrapCommand(['/bin/sh', '-c', 'echo $$']);
    const child = execFile(program, args);
    const printed = await new Promise<string>((resolve) => child.stdout?.once('data', resolve));
    expect(Number(printed)).toBe(child.pid);
  });

  test('keeps modes, byte order marks, bytes and symlinks', async () => {
    await using mount = await open(method);
    await write(mount, {
      'run.sh': { kind: 'text', text: '#!/bin/sh\necho ran' },
      'tool.sh': { kind: 'text', text: '#!/bin/sh\necho tool', mode: 0o755 },
      'bom.txt': { kind: 'text', text: 'x', bom: true },
      'bytes.bin': { kind: 'binary', bytes: new Uint8Array([0, 255, 1]) },
      link: { kind: 'symlink', target: 'changed.txt' },
    });
    expect(
      await inside(mount, ['/bin/sh', '-c', './run.sh; ./tool.sh; cat link; od -An -tx1 bom.txt bytes.bin']),
    ).toBe('ran\ntool\ndisk ef bb bf 78 00 ff 01\n');
    await write(mount, { link: 'a file now' });
    expect(await inside(mount, ['cat', 'link', 'changed.txt'])).toBe('a file nowdisk');
  });

  test('puts a file where a directory was, and back', async () => {
    await using mount = await open(method);
    await write(mount, { kept: 'a file' });
    expect(await inside(mount, ['cat', 'kept'])).toBe('a file');
    await restore(mount, ['kept/deep/kept.txt']);
    expect(await inside(mount, ['cat', 'kept/deep/kept.txt'])).toBe('disk');
    await write(mount, { kept: 'a file' });
    await restore(mount, ['kept']);
    expect(await inside(mount, ['cat', 'kept/deep/kept.txt'])).toBe('disk');
  });

  test('shows a change on disk once its path is restored, however it was made', async () => {
    await using mount = await open(method);
    // The names are looked up first, so that a kernel which remembers them has something to remember.
    await inside(mount, [
      '/bin/sh',
      '-c',
      'cat changed.txt removed.txt kept/deep/kept.txt; cat created.txt || true',
    ]);
    await plant({
      'created.txt': 'created',
      'replacement.txt': 'replaced',
      'kept/deep/kept.txt': 'rewritten',
    });
    await rename(join(workspace.root, 'replacement.txt'), join(workspace.root, 'changed.txt'));
    await rm(join(workspace.root, 'removed.txt'));
    await restore(mount, ['created.txt', 'changed.txt', 'removed.txt', 'kept/deep/kept.txt']);
    expect(await look(mount)).toEqual({
      'created.txt': 'created',
      'changed.txt': 'replaced',
      'kept/deep/kept.txt': 'rewritten',
      'run.sh': '#!/bin/sh',
    });
  });

  test.each([
    { happening: 'removed', replaced: false },
    { happening: 'replaced', replaced: true },
  ])('lists the files of a directory that the disk $happening', async ({ replaced }) => {
    await using mount = await open(method);
    await inside(mount, ['ls', '-R', '.']);
    await rm(join(workspace.root, 'kept'), { recursive: true });
    if (replaced) await plant({ 'kept/deep/other.txt': 'other' });
    await restore(mount, ['kept/deep/kept.txt', ...(replaced ? ['kept/deep/other.txt'] : [])]);
    await write(mount, { 'kept/deep/new.txt': 'new' });
    expect(Object.keys(await look(mount)).filter((name) => name.startsWith('kept'))).toEqual(
      replaced ? ['kept/deep/new.txt', 'kept/deep/other.txt'] : ['kept/deep/new.txt'],
    );
    await restore(mount, ['kept/deep/new.txt']);
    if (!replaced) expect(await inside(mount, ['ls'])).not.toContain('kept');
  });

  test('lists a file that is shown before the removal of its directory is known', async () => {
    await using mount = await open(method);
    await inside(mount, ['ls', '-R', '.']);
    await rm(join(workspace.root, 'kept'), { recursive: true });
    await write(mount, { 'kept/deep/new.txt': 'new' });
    expect(await inside(mount, ['ls', 'kept/deep'])).toContain('new.txt');
  });

  test('changes a dependency for those inside only', async () => {
    const before = await describeTree(workspace.root);
    {
      await using mount = await open(method);
      await write(mount, { 'node_modules/dep/lib/a.js': 'patched', 'node_modules/other/b.js': 'b' });
      const files = ['node_modules/dep/lib/a.js', 'node_modules/dep/index.js', 'node_modules/other/b.js'];
      expect(await inside(mount, ['cat', ...files])).toBe('patcheddepb');
      await mount.remove(workspace.path('node_modules/dep/index.js'));
      await mount.remove(workspace.path('.git'));
      expect(await inside(mount, ['/bin/sh', '-c', 'ls -A; ls node_modules/dep'])).not.toMatch(/\.git|index/);
    }
    expect(await describeTree(workspace.root)).toEqual(before);
  });

  test('follows symlinks as long as they stay inside, and refuses those that leave', async () => {
    await mkdir(join(outside, 'elsewhere'));
    await symlink('kept/deep', join(workspace.root, 'inner'));
    await symlink(join(workspace.root, 'kept'), join(workspace.root, 'absolute'));
    await symlink('../elsewhere', join(workspace.root, 'relative-out'));
    await symlink(join(outside, 'elsewhere'), join(workspace.root, 'absolute-out'));
    await symlink(join(outside, 'elsewhere', 'file.txt'), join(workspace.root, 'file-out'));
    const before = await describeTree(outside);
    {
      await using mount = await open(method);
      await write(mount, { 'inner/by-link.txt': 'one', 'absolute/by-link.txt': 'two', 'file-out': 'three' });
      const files = ['kept/deep/by-link.txt', 'kept/by-link.txt', 'file-out'];
      expect(await inside(mount, ['cat', ...files])).toBe('onetwothree');
      for (const name of ['relative-out/x', 'absolute-out/x']) {
        await expect(write(mount, { [name]: 'x' })).rejects.toMatchObject({
          code: 'sandbox/path-leaves-workspace',
        });
      }
    }
    expect(await describeTree(outside)).toEqual(before);
  });

  test('takes many changes at once', async () => {
    await using mount = await open(method);
    const names = Array.from({ length: 50 }, (_, index) => `a/b/c${index % 5}/f${index}.txt`);
    await Promise.all(names.map((name) => write(mount, { [name]: name })));
    const shown = await look(mount);
    expect(names.filter((name) => shown[name] !== name)).toEqual([]);
  });

  test('leaves nothing behind when it is disposed', async () => {
    const scratch = await mkdtemp(join(outside, 'scratch-'));
    const mount = await open({ ...method, scratch });
    await write(mount, { 'new/file.txt': 'x' });
    expect(await readdir(scratch)).toHaveLength(1);
    await mount[Symbol.asyncDispose]();
    expect(await readdir(scratch)).toEqual([]);
  });
});

test('a mount whose caller gives up is not made', async () => {
  const scratch = await mkdtemp(join(outside, 'scratch-'));
  const given = { method: { ...probed, scratch }, log: silentLog };
  const gaveUp = AbortSignal.abort(new Error('given up'));
  await expect(mountWorkspace(workspace, given, gaveUp)).rejects.toThrow('given up');
  expect(await readdir(scratch)).toEqual([]);
});

describe.runIf(process.getuid?.() === 0 && probed.kind === 'namespace')('an ordinary user', () => {
  test.each([
    { promise: 'mounts a workspace as root does', args: [], kind: 'namespace' },
    { promise: 'gets a copy where a mount is refused', args: ['refused'], kind: 'copy' },
  ])('$promise', async ({ args, kind }) => {
    await giveTo(nobody, workspace.root);
    const before = await describeTree(workspace.root);
    const seen = await runTrial(args);
    expect(seen.kind).toBe(kind);
    expect(seen.changed).toContain('./changed.txt:overlay');
    expect(seen.changed).toContain('./new/deep/file.txt:new');
    expect(seen.changed).not.toContain('removed.txt');
    expect(seen.restored).toContain('./changed.txt:disk');
    expect(seen.restored).toContain('./removed.txt:disk');
    expect(seen.restored).not.toContain('new/deep');
    expect(seen.relisted).toContain('./gone/file.txt:shown');
    expect(await describeTree(workspace.root)).toEqual(before);
    expect(await readdir(join(outside, 'tmp'))).toEqual([]);
  });
});

const nobody = 65_534;

async function runTrial(args: readonly string[]): Promise<MountTrial> {
  const tmp = join(outside, 'tmp');
  await mkdir(tmp);
  await chown(tmp, nobody, nobody);
  const node = [process.execPath, childProgram('mount-trial'), workspace.root, ...args];
  const become = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', ...node];
  const env = { PATH: process.env.PATH, HOME: outside, TMPDIR: tmp };
  const { stdout } = await promisify(execFile)('setpriv', become, { cwd: '/', env });
  return JSON.parse(stdout);
}

function open(method: MountMethod): Promise<MountedWorkspace> {
  return mountWorkspace(workspace, { method, log: silentLog }, signal);
}

async function write(mount: MountedWorkspace, files: Record<string, string | FileContent>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mount.write(
      workspace.path(name),
      typeof content === 'string' ? { kind: 'text', text: content } : content,
    );
  }
}

async function restore(mount: MountedWorkspace, names: readonly string[]): Promise<void> {
  for (const name of names) await mount.restore(workspace.path(name));
}

async function inside(mount: MountedWorkspace, command: string[], cwd?: string): Promise<string> {
  const limits = { timeoutMs: 10_000, maxOutputBytes: 65_536 };
  const wrapped = mount.wrapCommand(command, cwd);
  const { stdout } = await runCommand({ command: wrapped, cwd: '/', env: process.env, ...limits }, signal);
  return stdout;
}

/** The files of the workspace as a process inside sees them, dependencies and hidden ones left out. */
async function look(mount: MountedWorkspace): Promise<Record<string, string>> {
  const each = 'for f; do printf "%s\\0" "$f"; cat "$f"; printf "\\0"; done';
  const hidden = ['(', '-path', './node_modules', '-o', '-path', './.git', ')', '-prune'];
  const find = ['find', '.', ...hidden, '-o', '-type', 'f', '-exec', '/bin/sh', '-c', each, 'sh', '{}', '+'];
  const parts = (await inside(mount, find)).split('\0').slice(0, -1);
  const names = parts.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name.slice(2), parts[index * 2 + 1] ?? '']).sort());
}

async function plant(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(outside, oddName, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function giveTo(uid: number, directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true });
  for (const path of [directory, ...names.map((name) => join(directory, name))]) await chown(path, uid, uid);
}
