/** What a client is told unasked, by real servers on real files. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { Heard } from '../support/heard.ts';
import { HttpDoor } from '../support/http-door.ts';
import { McpConnection } from '../support/mcp-connection.ts';

let door: HttpDoor;
let ts: Fixture;
let client: Client;
let received: Heard;

const good = 'export function half(a: number): number {\n  return a / 2;\n}\n';
const bad = 'export function half(a: number): number {\n  return "a";\n}\n';

beforeAll(async () => {
  door = await HttpDoor.open();
});

afterAll(async () => {
  await door[Symbol.asyncDispose]();
});

beforeEach(async () => {
  ts = await openFixture('ts-two-modules');
  await ts.write('solo.ts', good);
  client = await door.client();
  received = new Heard(client);
  await client.callTool({ name: 'start_lsp', arguments: { root_dir: ts.root, language_id: 'typescript' } });
  return () => ts[Symbol.asyncDispose]();
});

const uriOf = (name: string): string => `file://${ts.file(name)}`;

function ask(name: string, asker = client): Promise<unknown> {
  return asker.callTool({ name: 'get_diagnostics', arguments: { file_path: ts.file(name) } });
}

test('a server that has loaded the workspace is told of', async () => {
  expect(await received.message('workspace')).toMatchObject({
    level: 'info',
    data: { type: 'workspace_ready', message: expect.any(String) },
  });
});

test('a followed file that breaks on disk is told of on every channel it concerns', async () => {
  const followed = `lsp-diagnostics://${ts.file('solo.ts')}`;
  await client.subscribeResource({ uri: followed });
  await ask('solo.ts');
  expect(await received.message('diagnostics')).toMatchObject({
    data: { type: 'diagnostics', updates: [{ uri: uriOf('solo.ts'), errors: 0, warnings: 0 }] },
  });
  await ts.write('solo.ts', bad);
  expect(await received.message('diagnostic_regression')).toMatchObject({
    level: 'warning',
    data: { type: 'diagnostic_regression', file: uriOf('solo.ts'), errors: 1, delta: 1 },
  });
  expect(await received.message('diagnostics')).toMatchObject({
    data: { updates: [{ uri: uriOf('solo.ts'), errors: 1, warnings: 0 }] },
  });
  expect(await received.message('file_watcher')).toMatchObject({
    level: 'info',
    data: { type: 'stale_references', files_changed: expect.any(Number) },
  });
  await received.update('lsp-references://');
  await received.update(followed);
});

test('leaving a resource ends word of it, and of it alone', async () => {
  const [one, all] = [`lsp-diagnostics://${ts.file('solo.ts')}`, 'lsp-diagnostics://'];
  await client.subscribeResource({ uri: one });
  await client.subscribeResource({ uri: all });
  await client.unsubscribeResource({ uri: one });
  await ask('solo.ts');
  await received.update(all);
  expect(received.updates).not.toContain(one);
});

test('nothing speculative is told, however wrong it is', async () => {
  await ask('solo.ts');
  const edit = {
    file_path: ts.file('solo.ts'),
    start_line: 2,
    start_column: 10,
    end_line: 2,
    end_column: 15,
  };
  const preview = await client.callTool({
    name: 'preview_edit',
    arguments: { ...edit, new_text: '"a"', scope: 'workspace', timeout_ms: 60_000 },
  });
  expect(JSON.stringify(preview)).toContain('broken');
  // A file looked at afterwards is told of after everything that came before.
  await ask('app.ts');
  const reported = await received.until('diagnostics', ({ data }) =>
    JSON.stringify(data).includes(uriOf('app.ts')),
  );
  const updates = reported.flatMap(({ data }) => (Array.isArray(data.updates) ? data.updates : []));
  expect(updates.filter(({ errors }) => errors > 0)).toEqual([]);
});

test('unsaved text is told to the connection it belongs to and to no other', async () => {
  const other = await door.client();
  const overheard = new Heard(other);
  await ask('app.ts', other);
  await client.callTool({ name: 'open_document', arguments: { file_path: ts.file('solo.ts'), text: bad } });
  await ask('solo.ts');
  await received.until('diagnostics', ({ data }) => JSON.stringify(data).includes('"errors":1'));
  await ask('math.ts', other);
  const reported = await overheard.until('diagnostics', ({ data }) =>
    JSON.stringify(data).includes('math.ts'),
  );
  expect(JSON.stringify(reported)).not.toContain('"errors":1');
});

test('a server that dies is told of, and so is its return', async () => {
  await ask('solo.ts');
  const open = door.forerun.registry.all.find(({ workspace }) => workspace.root === ts.root);
  const pid = open?.servers.pools[0]?.replicas[0]?.server.pid;
  if (pid === undefined) throw new Error('no server is running');
  process.kill(pid, 'SIGKILL');
  expect(await received.message('health')).toMatchObject({
    level: 'error',
    data: { type: 'process_health', status: 'crashed', message: expect.any(String) },
  });
  await ask('solo.ts');
  expect(await received.message('health')).toMatchObject({
    level: 'info',
    data: { type: 'process_health', status: 'recovered' },
  });
});

test('a client that wants to hear of errors only is spared the rest', async () => {
  await client.setLoggingLevel('error');
  await client.subscribeResource({ uri: 'lsp-diagnostics://' });
  await ask('solo.ts');
  await received.update('lsp-diagnostics://');
  expect(received.messages.filter(({ logger }) => logger === 'diagnostics')).toEqual([]);
});

test('a client of the revision without subscriptions hears what it listens for', async () => {
  await using connection = await McpConnection.open({ client: { versionNegotiation: { mode: 'auto' } } });
  const listener = new Heard(connection.client);
  const uri = `lsp-diagnostics://${ts.file('solo.ts')}`;
  await connection.client.listen({ resourceSubscriptions: [uri] });
  await connection.call('get_diagnostics', { file_path: ts.file('solo.ts') });
  await listener.update(uri);
});
