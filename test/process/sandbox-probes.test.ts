/**
 * Attempts to read what is not the workspace's and to get out, as root and as an ordinary user: none may succeed.
 * Every secret and every socket is checked from outside first, so that a probe cannot pass because nothing was there.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostSocket } from '../children/sandbox-probe-host.ts';
import type { ProbeAnswers, ProbeRun } from '../children/sandbox-probe-run.ts';
import { childProgram } from '../support/child-program.ts';
import { isolatedPlayers } from '../support/isolation.ts';
import type { Player } from '../support/sandbox-player.ts';
import {
  connecting,
  homeSecrets,
  type ProbeWorld,
  probesOf,
  quoted,
  systemSecretDirectories,
} from '../support/sandbox-probe.ts';
import { giveAway, isRoot, strangersArguments } from '../support/somebody-else.ts';

const run = promisify(execFile);
const id = randomUUID().slice(0, 8);
const canary = `CANARY-${id}`;
const openDescriptors = 220;

let base = '';
let host: ChildProcess | undefined;
let world: ProbeWorld;
const planted: string[] = [];
/** Asked once for each player and back end: a sandbox is opened for all probes together. */
const answers = new Map<string, ProbeAnswers>();
const backEnds = ['the best program', 'our own programs'] as const;
const runs = isolatedPlayers.flatMap((player) => backEnds.map((by) => `${player}, ${by}`));

beforeAll(async () => {
  // Short, since the path of a socket may have no more than a hundred letters.
  base = await realpath(await mkdtemp(join(isRoot ? '/srv' : tmpdir(), 'fp-')));
  await chmod(base, 0o755);
  world = await plantWorld(join(base, 'h'));
  for (const player of isolatedPlayers) {
    if (player === 'an ordinary user') await giveAway(world.home);
    await expectControls(player);
    for (const by of backEnds) {
      answers.set(`${player}, ${by}`, await ask(player, { root: world.root, probes: probesOf(world), by }));
    }
  }
}, 900_000);

afterAll(async () => {
  if (host !== undefined && host.exitCode === null) {
    host.stdin?.end();
    await once(host, 'exit');
  }
  for (const path of [base, ...planted]) await rm(path, { recursive: true, force: true });
});

const names = probesOf({ ...emptyWorld(), canaries: homeSecrets, sockets: hostSockets('', '').reached }).map(
  (probe) => probe.name,
);

test('there are enough of them', () => {
  expect(names.length).toBeGreaterThanOrEqual(80);
  expect(homeSecrets.length).toBeGreaterThanOrEqual(40);
});

describe.each(runs)('for %s', (each) => {
  test('every probe was tried, and none got through', () => {
    const given = answers.get(each) ?? {};
    const probes = probesOf(world);
    const untried = probes
      .filter(({ name }) => !given[name]?.includes('DONE'))
      .map(({ name }) => [name, given[name]]);
    expect(untried).toEqual([]);
    const through = probes
      .filter(({ name }) => /CANARY|THROUGH/.test(given[name] ?? ''))
      .map(({ name }) => [name, given[name]]);
    expect(through).toEqual([]);
    expect(probes.length).toBeGreaterThanOrEqual(80);
  });

  test('the confinement is whole', () => {
    expect(answers.get(each)?.because).toBe('');
  });
});

async function plantWorld(home: string): Promise<ProbeWorld> {
  const root = join(home, 'w', 'p');
  const canaries = homeSecrets.map((name) => join(home, name));
  if (isRoot)
    canaries.push(...systemSecretDirectories.map((directory) => join(directory, `fp-${id}`, 'secret')));
  for (const path of canaries) {
    if (!path.startsWith(home)) planted.push(dirname(path));
    await plant(
      path,
      `[user]\n\tname = ${canary}-name\n[http]\n\textraheader = ${canary}\n`.replace(
        `${canary}-name`,
        'Somebody',
      ),
    );
  }
  await plant(join(root, 'kubeconfig'), canary);
  await plant(join(root, 'hostile'), 'a file\n');
  await plant(join(root, '.git'), `gitdir: ${home}/.ssh\n`);
  await mkdir(join(root, '.venv', 'bin'), { recursive: true });
  await symlink(join(home, 'kube', 'config'), join(root, '.venv', 'bin', 'python'));
  await symlink(join(home, '.ssh'), join(root, 'leak'));
  await symlink('../sibling', join(root, 'sibling'));
  await plant(join(home, '.local/bin/tool'), '#!/bin/sh\n');
  await plant(join(home, '.cargo/registry/cache/crate'), 'a crate');
  const { bound, reached } = hostSockets(home, root);
  const args = [childProgram('sandbox-probe-host'), JSON.stringify(bound)];
  const started = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  host = started;
  const [port] = await once(started.stdout, 'data');
  await symlink(join('/tmp', `fp-${id}.sock`), join(root, 'link.sock'));
  planted.push(join('/tmp', `fp-${id}.sock`), join('/run', `fp-${id}.sock`));
  return { home, root, canaries, sockets: reached, port: Number(String(port)) };
}

/** Sockets of the host: by a full path, by a relative one, moved, linked, behind a link, and without any path. */
function hostSockets(home: string, root: string): { bound: HostSocket[]; reached: string[] } {
  const elsewhere = [
    join('/tmp', `fp-${id}.sock`),
    ...(isRoot ? [join('/run', `fp-${id}.sock`)] : []),
    join(home, 'runtime', 'bus'),
    join(home, '.cargo/registry/cache/agent.sock'),
    join(home, '.local/bin/agent.sock'),
    join(home, '.ssh/agent.sock'),
    join(root, 'full.sock'),
    `\0forerun-${id}`,
  ];
  const bound: HostSocket[] = [
    ...elsewhere.map((path) => ({ bind: path })),
    { bind: 'relative.sock' },
    { bind: 'before.sock', becomes: { how: 'rename', path: 'moved.sock' } },
    { bind: 'first.sock', becomes: { how: 'link', path: 'second.sock' } },
  ];
  const inside = ['relative.sock', 'moved.sock', 'second.sock', 'link.sock'].map((name) => join(root, name));
  return { bound, reached: [...elsewhere, ...inside] };
}

/** What the probes look for can be had by the same user outside a sandbox. */
async function expectControls(player: Player): Promise<void> {
  const become = player === 'an ordinary user' ? ['setpriv', ...strangersArguments] : ['env'];
  // Home directories and a few others are closed to an ordinary user anyway.
  const readable = world.canaries.filter((path) => player === 'ourselves' || !path.startsWith('/root/'));
  const reading = readable.map(
    (path) => `grep -q ${canary} ${quoted(path)} || echo unreadable ${quoted(path)}`,
  );
  const reaching = world.sockets.map((path) => connecting(JSON.stringify(path)));
  const script = [...reading, ...reaching].join('\n');
  const [program = '', ...args] = [...become, '/bin/sh', '-c', script];
  const { stdout } = await run(program, args, { cwd: '/', env: { PATH: process.env.PATH } });
  expect(stdout.split('\n').filter((line) => line !== '')).toEqual(world.sockets.map(() => 'THROUGH'));
}

async function ask(player: Player, request: ProbeRun): Promise<ProbeAnswers> {
  const { home } = world;
  const tmp = join(base, `t-${player.length}`);
  await mkdir(tmp, { recursive: true });
  if (player === 'an ordinary user') await chown(tmp, 54_321, 54_321);
  const become = player === 'an ordinary user' ? ['setpriv', ...strangersArguments] : ['env'];
  const argv = [...become, ...withKeys(), process.execPath, childProgram('sandbox-probe-run')];
  const [file = '', ...args] = [...argv, JSON.stringify(request)];
  const child = spawn(file, args, {
    cwd: '/',
    env: {
      ...{ PATH: `${home}/.local/bin:${process.env.PATH}`, HOME: home, TMPDIR: tmp },
      ...{ KUBECONFIG: `${home}/kube/config:${world.root}/kubeconfig`, XDG_RUNTIME_DIR: `${home}/runtime` },
      ...{ SSH_AUTH_SOCK: `${home}/.ssh/agent.sock`, DOCKER_HOST: `unix://${home}/runtime/bus` },
      ...{
        AWS_SECRET_ACCESS_KEY: canary,
        GITHUB_TOKEN: canary,
        DATABASE_URL: canary,
        npm_config__authToken: canary,
      },
    },
    stdio: ['ignore', 'pipe', 'inherit', ...Array.from({ length: openDescriptors }, () => 'pipe' as const)],
  });
  if (child.stdout === null) throw new Error('the runner has no output');
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(printed);
}

/** A session keyring that holds a key, where the program that makes one is installed. */
function withKeys(): readonly string[] {
  const add =
    'keyctl add user forerun-canary CANARY @s >/dev/null; keyctl link @u @s; keyctl timeout $(keyctl add user forerun-user-canary CANARY @u) 900; exec "$@"';
  const script = `command -v keyctl >/dev/null || exec "$@"; exec keyctl session - /bin/sh -c '${add}' sh "$@" 2>/dev/null`;
  return ['/bin/sh', '-c', script, 'sh'];
}

async function plant(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function emptyWorld(): ProbeWorld {
  return { home: '/h', root: '/h/w/p', canaries: [], sockets: [], port: 0 };
}
