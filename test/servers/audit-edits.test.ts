/** Every edit that lands is recorded with all of its files and with their diagnostics before and after. */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { HttpDoor } from '../support/http-door.ts';

let ts: Fixture;
let door: HttpDoor;
let client: Awaited<ReturnType<HttpDoor['client']>>;

beforeEach(async () => {
  [ts, door] = await Promise.all([openFixture('ts-two-modules'), HttpDoor.open()]);
  client = await door.client();
});

afterEach(async () => {
  await door[Symbol.asyncDispose]();
  await ts[Symbol.asyncDispose]();
});

type Entry = Readonly<Record<string, unknown>>;

/** Makes the calls on one connection; answers what was recorded of the last. */
async function recorded(...calls: readonly (readonly [string, Entry])[]): Promise<Entry | undefined> {
  for (const [name, args] of calls) await client.callTool({ name, arguments: { ...args } });
  await door.flushAudit();
  const lines = (await readFile(door.auditPath, 'utf8')).split('\n').filter(Boolean);
  return JSON.parse(lines.at(-1) ?? '{}');
}

const counts = (error_count: number, files: readonly string[]) => ({
  error_count,
  warning_count: 0,
  files_checked: expect.arrayContaining([...files]),
});

/** `half` gets a body that does not compile. */
const broken = () => ({ file_path: ts.file('math.ts'), old_text: 'return a / 2', new_text: "return 'no'" });

test('apply_edit, with the files of a whole workspace edit', async () => {
  const [math, app] = [ts.file('math.ts'), ts.file('app.ts')];
  const at = (line: number, character: number) => ({ line, character });
  const workspace_edit = {
    changes: {
      [`file://${math}`]: [{ range: { start: at(0, 23), end: at(0, 29) }, newText: 'string' }],
      [`file://${app}`]: [{ range: { start: at(2, 0), end: at(2, 0) }, newText: '// a comment\n' }],
    },
  };
  expect(await recorded(['apply_edit', { workspace_edit }])).toMatchObject({
    files: expect.arrayContaining([math, app]),
    diagnostics_before: counts(0, [math, app]),
    diagnostics_after: { error_count: 2 },
    net_delta: { errors: 2, warnings: 0 },
  });
});

test('apply_edit by quotation', async () => {
  const files = [ts.file('math.ts')];
  expect(await recorded(['apply_edit', broken()])).toMatchObject({
    files,
    diagnostics_before: counts(0, files),
    diagnostics_after: counts(1, files),
    net_delta: { errors: 1, warnings: 0 },
  });
});

test('rename_symbol names every file it changed, though the call names one', async () => {
  const files = [ts.file('math.ts'), ts.file('app.ts')];
  const rename = { file_path: ts.file('math.ts'), position_pattern: 'function @@half', new_name: 'halve' };
  const entry = await recorded(['rename_symbol', rename]);
  expect(entry).toMatchObject({
    diagnostics_before: counts(0, files),
    diagnostics_after: counts(0, files),
    net_delta: { errors: 0, warnings: 0 },
  });
  expect([...(Array.isArray(entry?.files) ? entry.files : [])].sort()).toEqual([...files].sort());
});

test('undo_last_commit, which names no file, tells those it restored', async () => {
  const files = [ts.file('math.ts')];
  expect(await recorded(['apply_edit', broken()], ['undo_last_commit', {}])).toMatchObject({
    tool: 'undo_last_commit',
    files,
    diagnostics_before: counts(1, files),
    diagnostics_after: counts(0, files),
    net_delta: { errors: -1, warnings: 0 },
  });
});

test('commit_session tells the files of the session', async () => {
  const created = await client.callTool({
    name: 'create_simulation_session',
    arguments: { workspace_root: ts.file('.'), language: 'typescript' },
  });
  const [, session_id = ''] =
    /"session_id":"([^"]+)"/.exec(JSON.stringify(created).replaceAll('\\', '')) ?? [];
  const insert = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
  for (const [file, new_text] of [
    ['math.ts', '// first\n'],
    ['app.ts', 'const wrong: number = "text";\n'],
  ] as const) {
    const args = { session_id, file_path: ts.file(file), ...insert, new_text };
    await client.callTool({ name: 'simulate_edit', arguments: args });
  }
  const files = [ts.file('app.ts'), ts.file('math.ts')];
  const entry = await recorded(['commit_session', { session_id, apply: true }]);
  expect(entry).toMatchObject({
    tool: 'commit_session',
    session_id,
    files: expect.arrayContaining(files),
    diagnostics_before: counts(0, files),
    diagnostics_after: { files_checked: expect.arrayContaining(files) },
    net_delta: { errors: expect.any(Number), warnings: expect.any(Number) },
  });
});

test.each([
  [
    'replace_symbol_body',
    { symbol_path: 'half', new_body: "export function half(a: number): number {\n  return 'no';\n}" },
  ],
  ['safe_apply_edit', { old_text: 'return a / 2', new_text: "return 'no'", force: true }],
])('%s', async (tool, input) => {
  const files = [ts.file('math.ts')];
  expect(await recorded([tool, { file_path: ts.file('math.ts'), ...input }])).toMatchObject({
    tool,
    files,
    diagnostics_before: counts(0, files),
    diagnostics_after: counts(1, files),
    net_delta: { errors: 1, warnings: 0 },
  });
});

test('an edit that does not land records no diagnostics', async () => {
  const entry = await recorded(['safe_apply_edit', { ...broken(), timeout_ms: 60_000 }]);
  expect(entry).toMatchObject({ success: true, net_delta: { errors: 1 } });
  expect(entry).not.toHaveProperty('diagnostics_before');
  expect(entry).not.toHaveProperty('diagnostics_after');
});
