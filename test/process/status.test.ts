/** What a process says of its servers, sessions and queue while it works. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownStatus } from '../../src/host/status/own-status.ts';
import { languageId } from '../../src/servers/language.ts';
import { runProgram } from '../support/built-program.ts';
import { openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
import { calm, World } from '../support/world.ts';

const files = { 'a.scripted': 'plain\n' };

test('servers are busy, idle or starting, callers wait, sessions stand where they stand', async () => {
  await using world = await World.open(files, { definitions: [scriptedDefinition({})], poolSize: 1 });
  const status = () => ownStatus('a test', { workspaces: world.registry, sessions: [world.sessions] });
  expect(await status()).toMatchObject({ pid: process.pid, servers: [], sessions: [], queue: 0 });

  const lend = () => world.view.lease(languageId('scripted'), calm);
  const first = lend();
  const about = { name: 'scripted', workspace: world.root, way: 'buffers' };
  await until(async () => expect((await status()).servers).toEqual([{ ...about, state: 'starting' }]));
  const second = lend();
  const held = await first;
  const busy = await status();
  expect(busy).toMatchObject({
    queue: 1,
    servers: [{ ...about, state: 'busy', pid: held.server.pid, age_ms: expect.any(Number) }],
  });
  if (process.platform === 'linux') {
    const [server] = busy.servers;
    expect(server?.memory_bytes).toBeGreaterThan(10_000_000);
    expect(busy.server_memory.used_bytes).toBe(server?.memory_bytes);
  }
  await held[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();

  const session = await world.session('scripted');
  await world.replace(session, 'a.scripted', { replace: 'plain', with: 'ERROR(new)' });
  await world.evaluate(session);
  expect(await status()).toMatchObject({
    queue: 0,
    servers: [{ state: 'idle' }],
    sessions: [{ id: session.id, workspace: world.root, language: 'scripted', state: 'evaluated', edits: 1 }],
  });
});

test('forerun status finds the processes that serve, and says so when there is none', async () => {
  const runtime = await mkdtemp(join(tmpdir(), 'forerun-runtime-'));
  onTestFinished(() => rm(runtime, { recursive: true, force: true }));
  // Nothing of the person who runs the tests is looked at.
  const env = { XDG_RUNTIME_DIR: runtime, XDG_CACHE_HOME: join(runtime, 'cache'), TMPDIR: runtime };
  const status = async (...words: string[]) => (await runProgram(['status', ...words], { env })).stdout;
  await using fixture = await openFixture('ts-two-modules');
  {
    await using connection = await McpConnection.open({ env });
    await connection.call('start_lsp', { root_dir: fixture.root });
    await connection.call('create_simulation_session', {
      workspace_root: fixture.root,
      language: 'typescript',
    });
    expect(JSON.parse(await status('--json'))).toMatchObject({
      processes: [
        {
          pid: connection.pid,
          door: 'forerun mcp',
          servers: expect.arrayContaining([
            expect.objectContaining({ name: 'typescript-7', workspace: fixture.root, state: 'idle' }),
          ]),
          sessions: [{ workspace: fixture.root, language: 'typescript', state: 'created' }],
        },
      ],
    });
    expect(await status()).toContain(`forerun mcp  pid ${connection.pid}, up `);
  }
  await until(async () => expect(await readdir(join(runtime, 'forerun', 'run'))).toEqual([]));
  expect(await status()).toMatch(/^No forerun process of this user is serving/);
});
