import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { HolderArguments } from '../children/sandbox-holder.ts';
import { childProgram } from '../support/child-program.ts';
import { isIsolationPossible, isolatedPlayers } from '../support/isolation.ts';
import { processesMarked } from '../support/marked-process.ts';
import { playAs } from '../support/sandbox-player.ts';
import { overlayOf, playScenario } from '../support/sandbox-scenario.ts';
import { isRoot } from '../support/somebody-else.ts';
import { until } from '../support/until.ts';
import { visiblePlace } from '../support/visible-place.ts';

const { signal } = new AbortController();
const isolated = ['isolated'] as const;

/** Outside every directory that is emptied for commands, so that what is hidden in it was hidden by name. */
let home = '';
let root = '';
const servers: Server[] = [];

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(visiblePlace(), 'forerun-sandbox-')));
  await chmod(home, 0o755);
  root = join(home, 'workspace');
  await plant({ 'workspace/file.txt': 'disk\n' });
});

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(home, { recursive: true, force: true });
});

describe.each(isolatedPlayers)('a command of %s', (player) => {
  const outputOf = async (...commands: string[]): Promise<string[]> => {
    const [account] = await playAs(player, home, [{ root, commands, tiers: isolated }]);
    expect(account).toMatchObject({ isDiskUntouched: true });
    return (account?.outcomes ?? []).map((outcome) =>
      outcome.kind === 'finished' ? outcome.stdout + outcome.stderr : outcome.why,
    );
  };

  test('cannot write outside the workspace', async () => {
    const outside = join(home, 'outside.txt');
    const places = ['/etc/forerun-test', '/usr/forerun-test', '/forerun-test'];
    const attempts = [outside, ...places].map((place) => `echo x > ${place}`);
    const [said = ''] = await outputOf(attempts.join('; '));
    for (const place of places) expect(said).toContain(`${place}: Read-only file system`);
    await expect(stat(outside)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('cannot undo its confinement', async () => {
    const attempts = [
      'mount -t tmpfs none /mnt',
      'mount -o remount,rw,bind /',
      'umount /tmp',
      'echo 1 > /proc/sys/kernel/panic',
      'echo c > /proc/sysrq-trigger',
      'unshare --user --map-root-user --mount mount -o remount,rw,bind /',
      'unshare --user --map-root-user --mount umount /dev/shm',
      'nsenter --target 1 --mount true',
      'mknod disk b 8 0',
      'kill -9 -1; kill -9 1; false',
    ];
    const said = await outputOf(...attempts.map((attempt) => `${attempt} && echo SUCCEEDED`));
    expect(said.filter((each) => each.includes('SUCCEEDED'))).toEqual([]);
  });

  test('sees no process but its own', async () => {
    const [said = ''] = await outputOf(
      'ls /proc | grep -c "^[0-9]"; cat /proc/[0-9]*/environ | tr "\\0" "\\n"',
    );
    expect(Number.parseInt(said, 10)).toBeLessThan(8);
    expect(said).not.toContain('VITEST');
  });

  test('has a loopback of its own and no other network', async () => {
    const { port } = await listen({ host: '127.0.0.1', port: 0 });
    const [said = ''] = await outputOf(
      [
        tryConnect(`{ host: '127.0.0.1', port: ${port} }`),
        tryConnect(`{ host: '192.0.2.1', port: 80 }`),
        `node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log('listening'); s.close() })"`,
      ].join('; '),
    );
    expect(said.trim().split('\n')).toEqual([
      'ECONNREFUSED',
      expect.stringMatching(/^E(NETUNREACH|HOSTUNREACH)$/),
      'listening',
    ]);
  });

  test('reaches no socket of the machine', async () => {
    const name = `forerun-test-${randomUUID().slice(0, 8)}.sock`;
    const places = [join(tmpdir(), name), join(home, name)];
    if (isRoot) places.push(join('/run', name));
    for (const place of places) {
      await listen({ path: place });
      await chmod(place, 0o777);
    }
    const [said = ''] = await outputOf(places.map((place) => tryConnect(`'${place}'`)).join('; '));
    expect(said.trim().split('\n')).toHaveLength(places.length);
    expect(said).not.toContain('connected');
  });

  test('reaches no socket in the workspace either', async () => {
    const workspace = await Workspace.open(root);
    const options = { env: process.env, log: silentLog, tiers: isolated };
    await using sandbox = await openSandbox(workspace, overlayOf(workspace, {}), options, signal);
    await listen({ path: join(root, 'socket') });
    const outcome = await sandbox.run(tryConnect(`'${root}/socket'`), { timeoutMs: 60_000 }, signal);
    expect(outcome).toMatchObject({ stdout: 'ECONNREFUSED\n' });
  });

  test('finds no secret, in files or in its environment', async () => {
    const secrets = ['.ssh/id_ed25519', '.aws/credentials', '.config/gh/hosts.yml', '.netrc', '.npmrc'];
    await plant(Object.fromEntries(secrets.map((name) => [name, 'THE SECRET'])));
    process.env.FORERUN_TEST_TOKEN = 'THE SECRET';
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const [said = ''] = await outputOf(`cd ~; cat ${secrets.join(' ')}; env`);
      expect(said).not.toContain('THE SECRET');
      expect(said).not.toContain('FORERUN_TEST_TOKEN');
    } finally {
      process.env.HOME = before;
      delete process.env.FORERUN_TEST_TOKEN;
    }
  });

  test('has temporary directories of its own, from one command to the next', async () => {
    const mine = await mkdtemp(join(tmpdir(), 'forerun-test-'));
    const said = await outputOf(
      `ls ${mine}; echo kept > /tmp/kept && echo kept > /dev/shm/kept`,
      'cat /tmp/kept /dev/shm/kept',
    );
    await rm(mine, { recursive: true });
    expect(said[0]).toContain('No such file or directory');
    expect(said[1]).toBe('kept\nkept\n');
  });

  test('may write to the caches of its user, and they stay as they were', async () => {
    await plant({ '.cache/go-build/state': 'old\n', '.cache/tool/state': 'old\n' });
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      expect(await outputOf('cd ~/.cache/go-build && cat state && echo new > state && cat state')).toEqual([
        'old\nnew\n',
      ]);
      expect(await outputOf('cat ~/.cache/go-build/state; ls ~/.cache')).toEqual(['old\ngo-build\n']);
    } finally {
      process.env.HOME = before;
    }
  });

  test('is who started it', async () => {
    const [said = ''] = await outputOf('id -u; stat -c %u file.txt');
    const { uid } = await stat(join(root, 'file.txt'));
    expect(said).toBe(`${uid}\n${uid}\n`);
  });

  test('leaves no process behind that it started', async () => {
    const said = await outputOf(
      '(setsid sleep 1000 > /dev/null 2>&1 &) ; setsid --fork sleep 1000; echo started',
      'ps -e -o comm= | grep -c sleep',
    );
    expect(said).toEqual(['started\n', '0\n']);
  });
});

describe.runIf(isIsolationPossible)('limits', () => {
  const outcomeOf = async (
    command: string,
    options: Omit<Parameters<typeof playScenario>[0], 'root' | 'commands'> = {},
  ) => (await playScenario({ root, commands: [command], tiers: isolated, ...options }, signal)).outcomes[0];

  test('a command that takes too long is ended with all it started', async () => {
    const outcome = await outcomeOf('echo before; setsid sleep 1000 & sleep 1000', { timeoutMs: 5000 });
    expect(outcome).toMatchObject({ code: undefined, timedOut: true, stdout: 'before\n', stderr: '' });
  });

  test('of output the beginning and the end are kept', async () => {
    const outcome = await outcomeOf('seq 1000000', { maxOutputBytes: 1000 });
    expect(outcome).toMatchObject({ code: 0, truncated: true });
    if (outcome?.kind !== 'finished') throw new Error('it did not finish');
    expect(outcome.stdout).toMatch(/^1\n2\n3\n[\s\S]*\n… \d+ bytes left out …\n[\s\S]*\n999999\n1000000\n$/);
    expect(outcome.stdout.length).toBeLessThan(1100);
  });

  test('what a command writes has a limit, and it is said when that is reached', async () => {
    for (const place of ['.', '/tmp', '/dev/shm']) {
      const command = `head -c 100000000 /dev/zero > ${place}/big`;
      expect(await outcomeOf(command, { limits: { maxDiskBytes: 8 << 20 } })).toMatchObject({
        code: 1,
        diskFull: true,
        stderr: expect.stringContaining('No space left'),
      });
    }
  });

  test.each(isolatedPlayers)('the number of processes has a limit for %s', async (player) => {
    // A shell would wait and try again when it cannot fork.
    const forks =
      'for (1..600) { my $child = fork; if (!defined $child) { print STDERR "fork: $!"; kill 9, @all; exit 1 } if (!$child) { sleep 1000; exit } push @all, $child } print "survived"';
    const limits = { maxProcesses: 400 };
    const scenario = { root, commands: [`perl -e '${forks}'`], tiers: isolated, limits };
    const [account] = await playAs(player, home, [scenario]);
    expect(account?.outcomes[0]).toMatchObject({ code: 1, stderr: expect.stringContaining('fork: ') });
  });

  test('a caller that gives up ends the command', async () => {
    const workspace = await Workspace.open(root);
    const mark = randomUUID();
    const caller = new AbortController();
    await using sandbox = await openSandbox(
      workspace,
      overlayOf(workspace, {}),
      { env: process.env, log: silentLog, tiers: isolated },
      signal,
    );
    const onOutput = (): void => caller.abort(new Error('given up'));
    const options = { timeoutMs: 60_000, env: { MARK: mark }, onOutput };
    await expect(sandbox.run('echo running; sleep 1000', options, caller.signal)).rejects.toThrow('given up');
    // The guard that ended them is the last to go.
    await until(async () => expect(await processesMarked(mark)).toEqual([]));
    expect(await sandbox.run('echo again', { timeoutMs: 60_000 }, signal)).toMatchObject({
      stdout: 'again\n',
    });
  });

  test('a directory that is not there is said so', async () => {
    const workspace = await Workspace.open(root);
    const options = { env: process.env, log: silentLog, tiers: isolated };
    await using sandbox = await openSandbox(workspace, overlayOf(workspace, {}), options, signal);
    const cwd = workspace.path('nowhere');
    await expect(sandbox.run('true', { timeoutMs: 60_000, cwd }, signal)).rejects.toMatchObject({
      code: 'sandbox/not-started',
      message: expect.stringContaining('nowhere'),
    });
  });
});

test.runIf(isIsolationPossible)('killed in the middle of a command, nothing of us is left', async () => {
  const mark = randomUUID();
  const temporary = join(home, 'tmp');
  await mkdir(temporary);
  const command = '(setsid sleep 1000 &); cat made; sleep 1000';
  const args: HolderArguments = [root, command, mark];
  const child = spawn(process.execPath, [childProgram('sandbox-holder'), ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect((await processesMarked(mark)).length).toBeGreaterThan(2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(async () => expect(await processesMarked(mark)).toEqual([]));
  expect((await readdir(temporary)).filter((name) => name.startsWith('forerun'))).toEqual([]);
  expect(await readdir(root)).toEqual(['file.txt']);
});

async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
}

async function listen(at: { path: string } | { host: string; port: number }): Promise<{ port: number }> {
  const server = createServer((socket) => socket.end('hello'));
  servers.push(server);
  server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

function tryConnect(target: string): string {
  const reported = `s.on('connect', () => { console.log('connected'); s.destroy() }).on('error', (e) => console.log(e.code))`;
  return `node -e "const s = require('net').connect(${target}); ${reported}"`;
}
