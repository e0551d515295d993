/** The record of calls: all of them, nothing that stood in a file, and a way to look at it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { HttpDoor } from '../support/http-door.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { McpConnection } from '../support/mcp-connection.ts';

let ts: Fixture;
let scratch: string;

beforeAll(async () => {
  ts = await openFixture('ts-two-modules');
  scratch = await mkdtemp(join(tmpdir(), 'forerun-audit-'));
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
  await ts[Symbol.asyncDispose]();
});

type Entry = Readonly<Record<string, unknown>>;

async function recordsIn(path: string): Promise<readonly Entry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

test('calls made at once are recorded to the last, with the connection that made them', async () => {
  await using door = await HttpDoor.open();
  const clients = await Promise.all([door.client(), door.client(), door.client()]);
  const calls = clients.flatMap((client) =>
    Array.from({ length: 120 }, (_, index) =>
      client.callTool({
        name: index % 3 ? 'list_sessions' : 'destroy_session',
        arguments: { session_id: `${index}` },
      }),
    ),
  );
  await Promise.all(calls);
  await door.flushAudit();
  const records = await recordsIn(door.auditPath);
  expect(records).toHaveLength(360);
  expect(new Set(records.map(({ connection }) => connection)).size).toBe(3);
  expect(records.filter(({ tool }) => tool === 'destroy_session')).toHaveLength(120);
});

describe('a record', () => {
  const long = `export const long = '${'x'.repeat(300)}';\n`;

  async function recorded(name: string, args: Entry): Promise<Entry | undefined> {
    await using door = await HttpDoor.open();
    const client = await door.client();
    await client.callTool({ name, arguments: { ...args } });
    await door.flushAudit();
    return (await recordsIn(door.auditPath)).at(-1);
  }

  test('tells what an edit did, of its texts only the beginning', async () => {
    const file_path = ts.file('math.ts');
    const entry = await recorded('apply_edit', {
      file_path,
      old_text: 'a / 2',
      new_text: `a / 2;\n}\n${long}{`,
    });
    expect(entry).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tool: 'apply_edit',
      files: [file_path],
      edit_summary: { mode: 'text-match', file_path, old_text_preview: 'a / 2' },
      success: true,
      duration_ms: expect.any(Number),
      effect: 'disk',
      connection: expect.any(String),
    });
    const summary: unknown = entry?.edit_summary;
    expect(JSON.stringify(summary)).toMatch(/x\.\.\."/);
    expect(JSON.stringify(entry)).not.toContain('x'.repeat(201));
    expect(JSON.stringify(entry)).not.toContain('return a + b');
  });

  test('tells why a call failed', async () => {
    expect(await recorded('evaluate_session', { session_id: 'none' })).toMatchObject({
      tool: 'evaluate_session',
      session_id: 'none',
      success: false,
      error_message: expect.stringContaining('none'),
      code: expect.any(String),
    });
  });

  test('of a preview tells by how much it would be worse', async () => {
    const edit = { start_line: 1, start_column: 24, end_line: 1, end_column: 30, new_text: 'string' };
    const entry = await recorded('preview_edit', {
      file_path: ts.file('math.ts'),
      ...edit,
      timeout_ms: 60_000,
    });
    expect(entry).toMatchObject({
      edit_summary: { mode: 'safe-edit' },
      net_delta: { errors: 1, warnings: 0 },
    });
  });
});

describe('the built program', () => {
  test('records where it is told to, without previews when asked, and has written all of it when it ends', async () => {
    const path = join(scratch, 'told', 'audit.jsonl');
    const env = { FORERUN_AUDIT_LOG: join(scratch, 'unused.jsonl'), FORERUN_AUDIT_PREVIEWS: 'off' };
    const connection = await McpConnection.open({ words: ['--audit-log', path], env });
    await connection.call('list_sessions');
    await connection.call('apply_edit', {
      file_path: ts.file('math.ts'),
      old_text: 'nowhere',
      new_text: 'secret',
    });
    await connection[Symbol.asyncDispose]();
    const records = await recordsIn(path);
    expect(records.map(({ tool, success }) => [tool, success])).toEqual([
      ['list_sessions', true],
      ['apply_edit', false],
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
    await expect(readFile(env.FORERUN_AUDIT_LOG)).rejects.toThrow('ENOENT');
  });

  test('records the phases of a skill between the calls', async () => {
    const path = join(scratch, 'phases.jsonl');
    const connection = await McpConnection.open({ words: ['--audit-log', path] });
    await connection.call('activate_skill', { skill_name: 'lsp-rename', mode: 'block' });
    await connection.call('deactivate_skill');
    await connection[Symbol.asyncDispose]();
    const phases = (await recordsIn(path)).filter((entry) =>
      JSON.stringify(entry).includes('phase_enforcement'),
    );
    expect(phases.map(({ tool }) => tool)).toEqual(['activate_skill', 'deactivate_skill']);
  });

  test('keeps no record where that is switched off', async () => {
    const home = await mkdtemp(join(scratch, 'home-'));
    await runInProcess(['call', 'list_sessions'], { env: { HOME: home, FORERUN_AUDIT_LOG: 'off' } });
    await expect(readFile(join(home, '.forerun', 'audit.jsonl'))).rejects.toThrow('ENOENT');
    await runProgram(['call', 'list_sessions'], { env: { HOME: home, FORERUN_AUDIT_LOG: '' } });
    expect(await recordsIn(join(home, '.forerun', 'audit.jsonl'))).toHaveLength(1);
  });

  test('shows the last calls and sums them up', async () => {
    const path = join(scratch, 'shown.jsonl');
    const env = { FORERUN_AUDIT_LOG: path };
    await runInProcess(['call', 'list_sessions'], { env });
    await runInProcess(['call', 'evaluate_session', '{"session_id":"none"}'], { env });
    const tail = await runInProcess(['audit', 'tail', '-n', '1'], { env });
    expect(tail.stdout).toMatch(/^\S+ {2}evaluate_session {2}\d+ ms {2}failed: .*\n$/);
    const whole = await runInProcess(['audit', 'tail', '--json'], { env });
    expect(
      whole.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).tool),
    ).toEqual(['list_sessions', 'evaluate_session']);
    const stats = await runInProcess(['audit', 'stats', '--json', '--file', path]);
    expect(JSON.parse(stats.stdout)).toMatchObject({
      records: 2,
      dropped: 0,
      tools: expect.arrayContaining([
        expect.objectContaining({ tool: 'evaluate_session', calls: 1, failed: 1 }),
      ]),
    });
    const nothing = await runInProcess(['audit', 'stats', '--file', join(scratch, 'missing.jsonl')]);
    expect([nothing.code, nothing.stdout]).toEqual([0, expect.stringContaining('0 records')]);
  });
});
