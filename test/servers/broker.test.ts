/** Brokers as the processes they are: found, started, shared, ended and killed. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { BrokerClaim } from '../../src/broker/broker-claim.ts';
import { placeOf } from '../../src/broker/broker-paths.ts';
import { writeRecord } from '../../src/broker/broker-record.ts';
import { WorkspaceRegistry } from '../../src/live/workspace-registry.ts';
import { languageId } from '../../src/servers/language.ts';
import { BrokerHome, programCommand } from '../support/broker-home.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { until } from '../support/until.ts';
import { calm, outline, type World } from '../support/world.ts';

const files = {
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, lib: ['es2023'], noEmit: true } }),
  'package.json': '{}',
  'value.ts': 'export const value: number = 1;\n',
  'user.ts': "import { value } from './value';\nexport const half: number = value / 2;\n",
};

const broken = "user.ts:2:29 The left-hand side of an arithmetic operation must be of type 'any'";

/** Breaks the user of a value in a session of its own and says what that would do. */
async function breakUser(world: World): Promise<string> {
  const session = await world.session('typescript');
  await world.replace(session, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
  const { introduced, confidence } = outline(await world.evaluate(session, 'workspace'));
  return `${confidence} ${introduced.join()}`;
}

const verdict = expect.stringContaining(`high ${broken}`);

async function run(home: BrokerHome, words: readonly string[], env: Record<string, string> = {}) {
  const [program = '', ...args] = programCommand;
  const child = spawn(program, [...args, ...words], { env: { ...home.env, ...env }, stdio: 'pipe' });
  child.stdin.end();
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, code: await code };
}

/** Also when its parent has not taken notice yet: what has ended runs no program any more. */
function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}/exe`);
}

test('a second process is answered by the server the first one had started', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  expect(await breakUser(await home.world(root))).toEqual(verdict);
  const before = await home.state();
  expect(before.servers).toHaveLength(1);
  const called = await run(
    home,
    ['call', 'get_diagnostics', JSON.stringify({ file_path: join(root, 'user.ts') })],
    { FORERUN_DAEMON: 'on', FORERUN_LOG_LEVEL: 'info' },
  );
  expect(called).toMatchObject({ code: 0 });
  expect(called.stderr).not.toContain('broker.passed-over');
  expect(await home.state()).toMatchObject({ pid: before.pid, servers: before.servers });
  expect(await home.serverPids()).toEqual(before.servers);
});

test('a program that is started in a workspace is connected to its server before it is asked anything', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const env = { FORERUN_DAEMON: 'on', FORERUN_DAEMON_DIR: home.directory };
  await using first = await McpConnection.open({ cwd: root, env });
  await first.call('get_diagnostics', { file_path: join(root, 'user.ts') });
  expect(await home.state()).toMatchObject({ clients: 1 });
  const record = join(home.directory, 'audit.jsonl');
  await using second = await McpConnection.open({ cwd: root, env: { ...env, FORERUN_AUDIT_LOG: record } });
  await until(async () => expect(await home.state()).toMatchObject({ clients: 2 }));
  // What it stands ready for binds it to nothing.
  const elsewhere = await home.workspace(files);
  const asked = await second.call('get_diagnostics', { file_path: join(elsewhere, 'user.ts') });
  expect(asked.isError).toBe(false);
  await second[Symbol.asyncDispose]();
  // What it asked of itself meanwhile is on no record.
  const recorded = (await readFile(record, 'utf8')).trim().split('\n');
  expect(recorded.map((line) => Object(JSON.parse(line)).tool)).toEqual(['get_diagnostics']);
});

test('where nothing is kept running, nothing is opened or started ahead', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const { env } = home;
  await using workspaces = new WorkspaceRegistry({
    definitions: 'detect',
    warm: home.warm(),
    env,
    log: silentLog,
  });
  await workspaces.attachToRunning(root, calm);
  expect(workspaces.all).toEqual([]);
  expect(home.brokers).toEqual([]);
});

test('nobody else can reach a broker', async () => {
  await using home = await BrokerHome.open();
  await breakUser(await home.world(await home.workspace(files)));
  const [broker] = home.brokers;
  const modeOf = (path: string | undefined) => statSync(path ?? '').mode & 0o777;
  expect(modeOf(broker?.directory)).toBe(0o700);
  expect(modeOf(broker?.record?.socket_path)).toBe(0o600);
  expect(modeOf(join(broker?.directory ?? '', 'daemon.json'))).toBe(0o600);
});

test('a path too long for a socket is no hindrance', async () => {
  await using home = await BrokerHome.open();
  const deep = join(home.directory, 'deep'.repeat(30));
  await mkdir(deep, { recursive: true });
  const root = await home.workspace(files);
  const env = { ...home.env, FORERUN_DAEMON_DIR: deep };
  const place = placeOf(deep, { root, server: 'typescript-7' }, env);
  expect(await breakUser(await home.world(root, { env, home: deep }))).toEqual(verdict);
  expect(Buffer.byteLength(place.socket)).toBeLessThan(104);
  expect(existsSync(place.socket)).toBe(true);
  expect((await run(home, ['daemon', 'stop', '--all'], { FORERUN_DAEMON_DIR: deep })).code).toBe(0);
  expect(existsSync(place.socket)).toBe(false);
});

test('starters at once share one broker', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const worlds = await Promise.all([1, 2, 3].map(() => home.world(root)));
  expect(await Promise.all(worlds.map(breakUser))).toEqual([verdict, verdict, verdict]);
  expect(home.brokers).toHaveLength(1);
  expect(await home.state()).toMatchObject({ clients: 3 });
  expect(home.received.filter(({ level }) => level === 'warning')).toEqual([]);
});

test('a newer program replaces the broker of an older one; an older one leaves it alone', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  await breakUser(await home.world(root, { version: '0.1.0' }));
  const before = await home.state();
  expect(await breakUser(await home.world(root, { version: '0.2.0' }))).toEqual(verdict);
  const after = await home.state();
  expect(after).toMatchObject({ version: '0.2.0', clients: 1 });
  expect(isGone(before.pid)).toBe(true);
  expect(before.servers.every(isGone)).toBe(true);
  expect(await breakUser(await home.world(root, { version: '0.1.9' }))).toEqual(verdict);
  expect(await home.state()).toMatchObject({ pid: after.pid, clients: 1 });
});

test('a process whose server would be told other things has a server of its own', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  await breakUser(await home.world(root));
  const stranger = await home.world(root, { env: { ...home.env, NODE_PATH: '/elsewhere' } });
  expect(await breakUser(stranger)).toEqual(verdict);
  expect(await home.state()).toMatchObject({ clients: 1 });
  expect(home.received.map(({ event }) => event)).toContain('broker.not-shared');
});

test('a client that is killed leaves nothing behind at the broker', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const world = await home.world(root);
  await breakUser(world);
  const [program = '', ...args] = programCommand;
  const child = spawn(program, [...args, 'mcp', '--daemon', 'on'], {
    env: home.env,
    cwd: root,
    stdio: 'pipe',
  });
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  });
  say({ method: 'notifications/initialized' });
  const edit = {
    file_path: join(root, 'user.ts'),
    start_line: 2,
    start_column: 1,
    end_line: 2,
    end_column: 1,
    new_text: 'nonsense\n',
  };
  say({ id: 2, method: 'tools/call', params: { name: 'preview_edit', arguments: edit } });
  await until(async () => expect((await home.state()).clients).toBe(2));
  child.kill('SIGKILL');
  await until(async () => expect((await home.state()).clients).toBe(1));
  expect(await breakUser(world)).toEqual(verdict);
});

test("a broker that is killed takes its server along and stands in nobody's way", async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const world = await home.world(root);
  await breakUser(world);
  const before = await home.state();
  process.kill(before.pid, 'SIGKILL');
  await until(() => expect([before.pid, ...before.servers].every(isGone)).toBe(true));
  // The call that notices may fail, by name; the next one is answered.
  const outcome = await breakUser(world).catch((thrown: unknown) => Object(thrown).code);
  if (outcome !== 'lsp/server-crashed') expect(outcome).toEqual(verdict);
  expect(await breakUser(world)).toEqual(verdict);
  const after = await home.state();
  expect(after.pid).not.toBe(before.pid);
  expect(home.brokers).toHaveLength(1);
});

test('what a dead broker left behind is swept up', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  await breakUser(await home.world(root));
  const { pid } = await home.state();
  process.kill(pid, 'SIGKILL');
  await until(() => expect(isGone(pid)).toBe(true));
  expect((await run(home, ['daemon', 'status'])).stdout).toBe('No active daemons.\n');
  expect(readdirSync(join(home.directory, 'daemons'))).toEqual([]);
});

test('a server that is killed is a named failure, and its broker goes on with another', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const world = await home.world(root);
  await breakUser(world);
  const before = await home.state();
  for (const pid of before.servers) process.kill(pid, 'SIGKILL');
  const outcome = await breakUser(world).catch((thrown: unknown) => Object(thrown).code);
  if (outcome !== 'lsp/server-crashed') expect(outcome).toEqual(verdict);
  expect(await breakUser(world)).toEqual(verdict);
  const after = await home.state();
  expect(after.pid).toBe(before.pid);
  expect(after.servers).not.toEqual(before.servers);
});

test('a broker that nobody needs ends, and its server with it', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const world = await home.world(root, { env: { ...home.env, FORERUN_DAEMON_IDLE_MS: '2000' } });
  await breakUser(world);
  const { pid, servers } = await home.state();
  await world[Symbol.asyncDispose]();
  await until(() => expect([pid, ...servers].every(isGone)).toBe(true));
  expect(readdirSync(join(home.directory, 'daemons'))).toEqual([]);
});

test('a broker ends with its workspace', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const world = await home.world(root);
  await breakUser(world);
  const { pid } = await home.state();
  await rm(root, { recursive: true });
  await until(() => expect(isGone(pid)).toBe(true));
});

test('status shows what runs, and stop ends it', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  await breakUser(await home.world(root));
  const { pid, servers } = await home.state();
  const shown = await run(home, ['daemon', 'status']);
  expect(shown.stdout).toMatch(
    new RegExp(`^typescript-7 {2}${root} {2}PID ${pid} {2}ready {2}1 client {2}\\d+ MB {2}up \\d+s\\n$`),
  );
  const [line] = JSON.parse((await run(home, ['daemon-status', '--json'])).stdout);
  expect(line).toMatchObject({
    server: 'typescript-7',
    root_dir: root,
    pid,
    servers,
    state: 'ready',
    clients: 1,
  });
  expect(await run(home, ['daemon', 'stop'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('usage: forerun daemon stop'),
  });
  const other = await run(home, ['daemon', 'stop', '--root', root, '--language', 'python']);
  expect(other.stdout).toBe('No active daemons.\n');
  const stopped = await run(home, ['daemon', 'stop', '--root', root, '--language', 'javascript']);
  expect(stopped.stdout).toBe(`stopped typescript-7 for ${root} (PID ${pid})\n`);
  expect([pid, ...servers].every(isGone)).toBe(true);
  expect((await run(home, ['daemon', 'status'])).stdout).toBe('No active daemons.\n');
  expect((await run(home, ['daemon', 'logs', '--root', root])).stdout).toContain('broker.ending');
});

test('left to itself a process starts a broker for a large workspace, and uses one that runs for any', async () => {
  await using home = await BrokerHome.open();
  const [small, large] = [await home.workspace(files), await home.workspace({ ...files, ...manyFiles() })];
  const brokered = () => home.brokers.map(({ record }) => record?.root_dir).sort();
  expect(await breakUser(await home.world(small, { use: 'auto' }))).toEqual(verdict);
  expect(brokered()).toEqual([]);
  expect(await breakUser(await home.world(large, { use: 'auto' }))).toEqual(verdict);
  expect(brokered()).toEqual([large]);
  await breakUser(await home.world(small, { use: 'on' }));
  const late = await home.world(small, { use: 'auto' });
  expect(await breakUser(late)).toEqual(verdict);
  expect(brokered()).toEqual([small, large].sort());
  expect(late.live.servers.pools[0]?.replicas[0]?.setup.isBrokered).toBe(true);
});

function manyFiles(): Record<string, string> {
  const names = Array.from({ length: 500 }, (_, index) => `src/file${index}.ts`);
  return Object.fromEntries(names.map((name) => [name, 'export {};\n']));
}

test('whatever is wrong with a broker, there is a server', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const misled = [
    { command: [process.execPath, '-e', 'process.exit(3)'] },
    { command: ['/no/such/program'] },
    { home: join(root, 'value.ts') },
    { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'], timeoutMs: 300 },
  ];
  const codes: string[] = [];
  for (const options of misled) {
    const world = await home.world(root, options);
    expect(await breakUser(world)).toEqual(verdict);
    const located = await world.live.servers.locate(languageId('typescript'), calm);
    const connecting = home
      .warm(options)
      .connect(located, { workspace: world.workspace, trust: 'untrusted' }, calm);
    codes.push(await connecting.then(String, (thrown: unknown) => Object(thrown).code));
  }
  expect(codes).toEqual([...misled.slice(1).map(() => 'broker/not-started'), 'broker/too-slow']);
  expect(home.brokers).toEqual([]);
});

test('a process that lives at the place of a broker and does not answer is left alone', async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const place = placeOf(home.directory, { root, server: 'typescript-7' }, home.env);
  using claim = BrokerClaim.take(place);
  expect(claim?.isOurs).toBe(true);
  writeRecord(place.record, {
    root_dir: root,
    language_id: 'typescript',
    server: 'typescript-7',
    command: [],
    socket_path: place.socket,
    pid: process.pid,
    ready: true,
    start_time: '',
    last_activity: '',
    version: '0.1.0',
    identity: '',
  });
  await writeFile(place.socket, 'no socket');
  expect(await breakUser(await home.world(root))).toEqual(verdict);
  expect(home.received.map(({ event }) => event)).toContain('broker.silent');
  expect(existsSync(place.record)).toBe(true);
});
