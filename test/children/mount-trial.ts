/**
 * Mounts the workspace named in the first argument, changes it in every way there is, and prints what a
 * process inside saw. Run as a program, so that a test can run it as somebody else; with `refused` as its
 * second argument it tries a mount that only root may make.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { type MountMethod, probeMounts } from '../../src/sandbox/mount.ts';
import { type MountedWorkspace, mountWorkspace } from '../../src/sandbox/mounted-workspace.ts';
import { Workspace } from '../../src/workspace/workspace.ts';

export interface MountTrial {
  readonly kind: string;
  readonly changed: string;
  readonly restored: string;
  /** After the disk removed a directory in which a file is then shown. */
  readonly relisted: string;
}

const [, , root = '', wish] = process.argv;
process.stdout.write(JSON.stringify(await tryMount(root)));

async function tryMount(directory: string): Promise<MountTrial> {
  const { signal } = new AbortController();
  const method: MountMethod =
    wish === 'refused'
      ? { kind: 'namespace', privilege: 'root', scratch: tmpdir() }
      : await probeMounts({ log: silentLog, env: process.env }, signal);
  await mkdir(join(directory, 'gone'));
  await writeFile(join(directory, 'gone/file.txt'), 'disk');
  const workspace = await Workspace.open(directory);
  await using mount = await mountWorkspace(workspace, { method, log: silentLog }, signal);
  const path = (name: string) => workspace.path(name);
  await mount.write(path('changed.txt'), { kind: 'text', text: 'overlay' });
  await mount.write(path('new/deep/file.txt'), { kind: 'text', text: 'new' });
  await mount.remove(path('removed.txt'));
  const changed = await look(mount, signal);
  for (const each of ['changed.txt', 'new/deep/file.txt', 'removed.txt']) await mount.restore(path(each));
  const restored = await look(mount, signal);
  await rm(join(directory, 'gone'), { recursive: true });
  await mount.restore(path('gone/file.txt'));
  await mount.write(path('gone/file.txt'), { kind: 'text', text: 'shown' });
  return { kind: mount.kind, changed, restored, relisted: await look(mount, signal) };
}

/** Every file inside with its first line, as a process started there sees it. */
async function look(mount: MountedWorkspace, signal: AbortSignal): Promise<string> {
  const command = mount.wrapCommand(['/bin/sh', '-c', 'find . -type f | sort | xargs grep -H .']);
  const limits = { timeoutMs: 10_000, maxOutputBytes: 65_536 };
  const { stdout, stderr } = await runCommand({ command, cwd: '/', env: process.env, ...limits }, signal);
  return stdout + stderr;
}
