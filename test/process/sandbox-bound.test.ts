/** A confined program that lives long: it follows the workspace on disk, cannot write it, and writes a cache of ours. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { spawnChild } from '../../src/process/child-process.ts';
import { confinedCommand } from '../../src/sandbox/internal/confined-command.ts';
import { confinedLayout } from '../../src/sandbox/internal/confined-layout.ts';
import { MountNamespace, type Privilege, systemPath } from '../../src/sandbox/internal/mount-namespace.ts';
import { isIsolationPossible } from '../support/isolation.ts';
import { connecting } from '../support/sandbox-probe.ts';
import { playScenario } from '../support/sandbox-scenario.ts';
import { isRoot } from '../support/somebody-else.ts';

const { signal } = new AbortController();
const privilege: Privilege = isRoot ? 'mapped' : 'user';

let home = '';
let root = '';
let cache = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-bound-')));
  [root, cache] = [join(home, 'workspace'), join(home, 'cache')];
  await mkdir(root);
  await mkdir(cache);
  await writeFile(join(root, 'file.txt'), 'first\n');
});

afterEach(() => rm(home, { recursive: true, force: true }));

test.runIf(isIsolationPossible)(
  'it reads what is on disk now, over its pipes, and writes only the cache',
  async () => {
    await using namespace = await open();
    const argv = await argvOf(namespace, 'while read -r line; do eval "$line"; echo "= $?"; done');
    const child = spawnChild({
      command: argv,
      cwd: '/',
      env: { PATH: systemPath, HOME: home },
      log: silentLog,
    });
    const ask = async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      let said = '';
      while (!/^= \d+\n/m.test(said)) said += String((await once(child.stdout, 'data'))[0]);
      return said;
    };
    try {
      expect(await ask('cat file.txt')).toBe('first\n= 0\n');
      await writeFile(join(root, 'file.txt'), 'second\n');
      await writeFile(join(root, 'new.txt'), 'new\n');
      expect(await ask('cat file.txt new.txt')).toBe('second\nnew\n= 0\n');
      expect(await ask('(echo x > file.txt) 2>&1')).toMatch(/Read-only file system\n= [12]\n/);
      expect(await ask(`echo kept > ${cache}/kept`)).toBe('= 0\n');
      expect(await ask(`ls ${home}`)).toBe('cache\nworkspace\n= 0\n');
    } finally {
      await child.terminate(0);
    }
    expect(await readFile(join(cache, 'kept'), 'utf8')).toBe('kept\n');
    expect(await readFile(join(root, 'file.txt'), 'utf8')).toBe('second\n');
  },
);

test.runIf(isIsolationPossible)('it reaches no socket in the directories that are bound', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('hello'));
  server.listen(join(root, 'host.sock'));
  await once(server, 'listening');
  try {
    await using namespace = await open();
    const [program = '', ...args] = await argvOf(
      namespace,
      connecting(JSON.stringify(join(root, 'host.sock'))),
    );
    const env = { PATH: systemPath, HOME: home };
    const { stdout } = await promisify(execFile)(program, args, { cwd: '/', env });
    expect(stdout).toMatch(/^E\w+\n$/);
  } finally {
    server.close();
  }
});

test.runIf(isIsolationPossible)('a process has a limit on the memory of its data', async () => {
  const command = `perl -e 'my $x = "a" x (600 << 20); print "allocated"' || echo refused; node -e 'console.log("node runs")'`;
  const limits = { maxMemoryBytes: 512 << 20 };
  const { outcomes } = await playScenario({ root, commands: [command], tiers: ['isolated'], limits }, signal);
  expect(outcomes[0]).toMatchObject({ stdout: 'refused\nnode runs\n' });
});

async function open(): Promise<MountNamespace> {
  const request = { root, privilege, maxDiskBytes: 64 << 20, env: { ...process.env, HOME: home } };
  const layout = await confinedLayout({ ...request, workspace: 'read-only', writable: [cache] });
  return MountNamespace.open({ root, privilege, layout, log: silentLog }, signal);
}

async function argvOf(namespace: MountNamespace, script: string): Promise<string[]> {
  const command = ['/bin/sh', '-c', script];
  const limits = { maxProcesses: 500, mark: 'not started' };
  const path = process.env.PATH ?? '';
  return namespace.enter(await confinedCommand({ command, cwd: root, path, privilege, ...limits }));
}
