/** The tools as an agent meets them: the official client, the built program, real language servers. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { processesMarked } from '../support/marked-process.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { until } from '../support/until.ts';

let connection: McpConnection;
let ts: Fixture;
let py: Fixture;

beforeAll(async () => {
  [connection, ts, py] = await Promise.all([
    McpConnection.open(),
    openFixture('ts-two-modules'),
    openFixture('py-two-modules'),
  ]);
});

afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await Promise.all([ts, py].map((fixture) => fixture[Symbol.asyncDispose]()));
});

/** An edit of each language that breaks its own file and the one that imports it. */
interface BreakingEdit {
  readonly fixture: () => Fixture;
  readonly language: string;
  readonly file: string;
  readonly dependent: string;
  readonly range: Readonly<Record<string, number>>;
  readonly newText: string;
}

const edits: readonly BreakingEdit[] = [
  {
    fixture: () => ts,
    language: 'typescript',
    file: 'math.ts',
    dependent: 'app.ts',
    range: { start_line: 1, start_column: 24, end_line: 1, end_column: 30 },
    newText: 'string',
  },
  {
    fixture: () => py,
    language: 'python',
    file: 'shapes.py',
    dependent: 'main.py',
    range: { start_line: 1, start_column: 38, end_line: 1, end_column: 41 },
    newText: 'str',
  },
];

const patience = { timeout_ms: 60_000 };

describe.each(edits)('on $language', ({ fixture, language, file, dependent, range, newText }) => {
  const edit = () => ({ file_path: fixture().file(file), ...range, new_text: newText });

  test('a preview names what an edit breaks in another file, and leaves nothing behind', async () => {
    const before = await fixture().read(file);
    const root = { workspace_root: fixture().root, language };
    const answer = await connection.call('preview_edit', {
      ...edit(),
      ...root,
      ...patience,
      scope: 'workspace',
    });
    expect(answer.json).toMatchObject({
      verdict: 'broken',
      confidence: 'high',
      scope: 'workspace',
      timeout: false,
    });
    expect(answer.text).toContain(fixture().file(dependent));
    expect(answer.content[1]).toMatch(/^Next step: fix the \d error/);
    expect(await fixture().read(file)).toBe(before);
    const after = await connection.call('get_diagnostics', { file_path: fixture().file(dependent) });
    expect(Object.values(after.json ?? {})).toEqual([[]]);
  });

  test('a session lives from creation to commit, and the disk changes only then', async () => {
    const before = await fixture().read(file);
    const created = await connection.call('create_simulation_session', {
      workspace_root: fixture().root,
      language,
    });
    expect(created.json).toEqual({ session_id: expect.any(String), status: 'created' });
    expect(created.content).toHaveLength(1);
    const id = { session_id: created.json?.session_id };
    const edited = await connection.call('simulate_edit', { ...id, ...edit() });
    expect(edited.json).toEqual({ ...id, edit_applied: true, version_after: 1, baseline_confidence: 'high' });
    const evaluated = await connection.call('evaluate_session', { ...id, ...patience });
    expect(evaluated.json).toMatchObject({ ...id, net_delta: 1, verdict: 'broken', errors_resolved: [] });
    expect(evaluated.content).toHaveLength(1);
    const listed = await connection.call('list_sessions');
    expect(listed.text).toContain(`"session_id":"${id.session_id}","status":"evaluated"`);
    expect(await fixture().read(file)).toBe(before);
    const committed = await connection.call('commit_session', {
      ...id,
      apply: true,
      patch_format: 'unified',
    });
    expect(committed.json).toMatchObject({
      ...id,
      files_written: 1,
      patch: expect.stringContaining(`+++ b/${file}`),
    });
    expect(await fixture().read(file)).not.toBe(before);
    const again = await connection.call('commit_session', id);
    expect(again.text).toBe(
      `commit_session failed: session ${id.session_id} cannot be committed in state committed`,
    );
    expect((await connection.call('destroy_session', id)).json).toEqual({ ...id, status: 'destroyed' });
    expect((await connection.call('destroy_session', id)).json).toMatchObject({
      status: 'already_destroyed',
    });
    await fixture().write(file, before);
  });

  test('a chain tells how far it is safe to go', async () => {
    const clean = { ...edit(), start_line: 2, start_column: 1, end_line: 2, end_column: 1, new_text: '' };
    const answer = await connection.call('simulate_chain', {
      workspace_root: fixture().root,
      language,
      edits: [clean, edit()],
      ...patience,
    });
    expect(answer.json).toMatchObject({
      steps: [
        {
          step: 1,
          net_delta: 0,
          errors_introduced: [],
          verdict: 'clean',
          scope: 'workspace',
          confidence: 'high',
          timeout: false,
          doubts: [],
        },
        // One error in the edited file, one in the file that uses it.
        {
          step: 2,
          net_delta: 2,
          errors_introduced: [{ severity: 'error' }, { severity: 'error' }],
          verdict: 'broken',
        },
      ],
      safe_to_apply_through_step: 1,
      safe_prefix_through_step: 1,
      cumulative_delta: 2,
    });
  });
});

describe('editing', () => {
  test('safe_apply_edit refuses what breaks and writes what does not', async () => {
    const quote = { file_path: ts.file('math.ts'), old_text: 'return a / 2;' };
    const refused = await connection.call('safe_apply_edit', {
      ...quote,
      new_text: "return 'half';",
      ...patience,
    });
    expect(refused.json).toMatchObject({ applied: false, verdict: 'broken' });
    expect(await ts.read('math.ts')).toContain('return a / 2;');
    const applied = await connection.call('safe_edit', {
      ...quote,
      new_text: 'return a * 0.5;',
      ...patience,
    });
    expect(applied.json).toMatchObject({ applied: true, verdict: 'clean' });
    expect(await ts.read('math.ts')).toContain('return a * 0.5;');
  });

  test('apply_edit writes a quotation or a WorkspaceEdit', async () => {
    const quote = { file_path: ts.file('math.ts'), old_text: 'return a * 0.5;', new_text: 'return a / 2;' };
    expect((await connection.call('apply_edit', quote)).text).toBe('Edit applied successfully');
    const start = { line: 0, character: 0 };
    const changes = {
      [`file://${ts.file('app.ts')}`]: [{ range: { start, end: start }, newText: '// first\n' }],
    };
    expect((await connection.call('apply_edit', { workspace_edit: { changes } })).text).toBe(
      'Edit applied successfully',
    );
    expect(await ts.read('app.ts')).toMatch(/^\/\/ first\n/);
    expect(await ts.read('math.ts')).toContain('return a / 2;');
  });

  test('a session creates, renames and deletes files', async () => {
    const created = await connection.call('create_simulation_session', {
      workspace_root: ts.root,
      language: 'typescript',
    });
    const id = { session_id: created.json?.session_id };
    const top = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
    const added = {
      ...id,
      file_path: ts.file('extra.ts'),
      ...top,
      new_text: 'export const extra: number = "no";\n',
    };
    expect((await connection.call('simulate_edit', added)).json).toMatchObject({ version_after: 1 });
    const removed = { ...id, file_path: ts.file('math.ts'), operation: 'delete' };
    expect((await connection.call('simulate_edit', removed)).json).toMatchObject({ edit_applied: true });
    const answer = await connection.call('evaluate_session', { ...id, scope: 'workspace', ...patience });
    const files = [ts.file('app.ts'), ts.file('extra.ts')];
    expect(answer.json).toMatchObject({
      verdict: 'broken',
      errors_introduced: files.map((file) => ({ file })),
    });
    expect((await connection.call('discard_session', id)).json).toEqual({ ...id, status: 'discarded' });
  });

  test('sessions are ranked with the least harmful first', async () => {
    const make = async (newText: string): Promise<unknown> => {
      const root = { workspace_root: ts.root, language: 'typescript' };
      const session_id = (await connection.call('create_simulation_session', root)).json?.session_id;
      const range = { start_line: 5, start_column: 34, end_line: 5, end_column: 40 };
      await connection.call('simulate_edit', {
        session_id,
        file_path: ts.file('math.ts'),
        ...range,
        new_text: newText,
      });
      return session_id;
    };
    const [broken, clean] = [await make('string'), await make('number')];
    const answer = await connection.call('compare_sessions', { session_ids: [broken, clean], ...patience });
    expect(answer.json).toMatchObject({
      ranked: [
        { rank: 1, session_id: clean, verdict: 'clean' },
        { rank: 2, session_id: broken, verdict: 'broken' },
      ],
    });
  });
});

describe('commits', () => {
  const greeting = 'export const greeting: string = "hello";\n';
  const edit = { start_line: 1, start_column: 34, end_line: 1, end_column: 39, new_text: 'goodbye' };

  async function edited(fixture: Fixture): Promise<{ readonly session_id: unknown }> {
    await fixture.write('greeting.ts', greeting);
    const root = { workspace_root: fixture.root, language: 'typescript' };
    const session_id = (await connection.call('create_simulation_session', root)).json?.session_id;
    await connection.call('simulate_edit', { session_id, file_path: fixture.file('greeting.ts'), ...edit });
    return { session_id };
  }

  test('a file changed on disk meanwhile is a conflict, and only force overwrites it', async () => {
    const id = await edited(ts);
    await ts.write('greeting.ts', '// somebody was here\n');
    const refused = await connection.call('commit_session', { ...id, apply: true });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('conflict') });
    expect(JSON.parse(refused.content[1] ?? '')).toMatchObject({
      code: 'session/conflict',
      paths: ['greeting.ts'],
    });
    expect(await ts.read('greeting.ts')).toBe('// somebody was here\n');
    const forced = await connection.call('commit_session', { ...id, target: 'disk', force: true });
    expect(forced.json).toMatchObject({ files_written: 1 });
    expect(await ts.read('greeting.ts')).toBe(greeting.replace('hello', 'goodbye'));
  });

  test('a target directory gets the files and the workspace keeps its own', async () => {
    const id = await edited(ts);
    const answer = await connection.call('commit_session', { ...id, target: 'out' });
    expect(answer.json).toMatchObject({ files_written: 1 });
    expect(await ts.read('out/greeting.ts')).toContain('goodbye');
    expect(await ts.read('greeting.ts')).toBe(greeting);
  });

  test('a target outside the workspace is refused', async () => {
    const answer = await connection.call('commit_session', { ...(await edited(ts)), target: '/tmp' });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('is outside workspace root'),
    });
  });

  test('a session outlives the program that made it', async () => {
    await using state = await openFixture('ts-two-modules');
    const first = await McpConnection.open({ state: state.root });
    const root = { workspace_root: ts.root, language: 'typescript' };
    const session_id = (await first.call('create_simulation_session', root)).json?.session_id;
    const broken = {
      start_line: 1,
      start_column: 1,
      end_line: 1,
      end_column: 1,
      new_text: 'const x: number = "";\n',
    };
    await first.call('simulate_edit', { session_id, file_path: ts.file('app.ts'), ...broken });
    process.kill(first.pid, 'SIGKILL');
    await using second = await McpConnection.open({ state: state.root });
    expect((await second.call('list_sessions')).json).toMatchObject({
      sessions: [{ session_id, resumable: true }],
    });
    expect((await second.call('resume_session', { session_id })).json).toMatchObject({
      session_id,
      status: 'mutated',
    });
    const answer = await second.call('evaluate_session', { session_id, ...patience });
    expect(answer.json).toMatchObject({ verdict: 'broken', net_delta: 1 });
    await first[Symbol.asyncDispose]();
  });
});

describe('documents', () => {
  test('unsaved text is seen until the document is closed', async () => {
    const file = { file_path: ts.file('app.ts') };
    const opened = await connection.call('open_document', {
      ...file,
      text: 'export const x: number = "";\n',
    });
    expect(opened.text).toBe(`Document opened: ${file.file_path}`);
    const unsaved = await connection.call('get_diagnostics', file);
    expect(Object.values(unsaved.json ?? {})).toMatchObject([
      [{ severity: 1, range: { start: { line: 0 } } }],
    ]);
    const grouped = await connection.call('get_diagnostics', { ...file, group_by: 'symbol' });
    expect(grouped.json).toMatchObject({ symbols: [{ name: 'x', line: 1 }], ungrouped: [] });
    expect((await connection.call('close_document', file)).text).toBe(`Document closed: ${file.file_path}`);
    expect(Object.values((await connection.call('get_diagnostics', file)).json ?? {})).toEqual([[]]);
  });
});

describe('bad input', () => {
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const point = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
  type Case = readonly [
    tool: string,
    args: () => Readonly<Record<string, unknown>>,
    sentence: string,
    code: string,
  ];
  const cases: readonly Case[] = [
    [
      'create_simulation_session',
      () => ({ language: 'go' }),
      'workspace_root is required',
      'tools/missing-argument',
    ],
    [
      'create_simulation_session',
      () => ({ workspace_root: ts.root }),
      'language is required',
      'tools/missing-argument',
    ],
    [
      'create_simulation_session',
      () => ({ workspace_root: '/nowhere/at/all', language: 'go' }),
      'invalid workspace_root: ',
      'workspace/not-a-directory',
    ],
    [
      'create_simulation_session',
      () => ({ workspace_root: ts.root, language: 'klingon' }),
      'create_session failed: ',
      'servers/not-installed',
    ],
    [
      'simulate_edit',
      () => ({ session_id: nowhere, file_path: 'x', ...point, new_text: '' }),
      `simulate_edit failed: session not found: ${nowhere}`,
      'session/not-found',
    ],
    [
      'simulate_edit',
      () => ({ session_id: nowhere, file_path: 'x', ...point }),
      'new_text is required',
      'tools/missing-argument',
    ],
    [
      'simulate_edit',
      () => ({ session_id: nowhere, file_path: 'x', new_text: '' }),
      'start_line: missing required argument "start_line"',
      'tools/missing-argument',
    ],
    [
      'simulate_edit',
      () => ({ session_id: nowhere, file_path: 'x', ...point, start_line: 0, new_text: '' }),
      'invalid range: start_line must be >= 1, got 0',
      'tools/invalid-argument',
    ],
    [
      'simulate_edit',
      () => ({ session_id: nowhere, file_path: 'x', ...point, start_column: 5, new_text: '' }),
      'invalid range: start position (1:5) must not be after end position (1:1)',
      'tools/invalid-argument',
    ],
    [
      'evaluate_session',
      () => ({ session_id: nowhere }),
      `evaluate_session failed: session not found: ${nowhere}`,
      'session/not-found',
    ],
    [
      'evaluate_session',
      () => ({ session_id: nowhere, scope: 'planet' }),
      'scope must be one of: file, workspace',
      'tools/invalid-argument',
    ],
    [
      'simulate_chain',
      () => ({ session_id: nowhere, edits: [] }),
      'edits array is required and must not be empty',
      'tools/invalid-argument',
    ],
    [
      'simulate_chain',
      () => ({ session_id: nowhere, edits: ['x'] }),
      'edit[0] must be an object',
      'tools/invalid-argument',
    ],
    [
      'simulate_chain',
      () => ({ session_id: nowhere, edits: [{ ...point, new_text: '' }] }),
      'edit[0]: file_path is required',
      'tools/missing-argument',
    ],
    [
      'simulate_chain',
      () => ({ session_id: nowhere, edits: [{ file_path: 'x', ...point }] }),
      'edit[0]: new_text is required',
      'tools/missing-argument',
    ],
    [
      'simulate_chain',
      () => ({ session_id: nowhere, edits: [{ file_path: 'x', ...point, end_line: -1, new_text: '' }] }),
      'edit[0]: invalid range: ',
      'tools/invalid-argument',
    ],
    [
      'commit_session',
      () => ({ session_id: nowhere }),
      `commit_session failed: session not found: ${nowhere}`,
      'session/not-found',
    ],
    [
      'discard_session',
      () => ({ session_id: nowhere }),
      `discard_session failed: discard: session not found: ${nowhere}`,
      'session/not-found',
    ],
    ['resume_session', () => ({ session_id: nowhere }), `session not found: ${nowhere}`, 'session/not-found'],
    [
      'compare_sessions',
      () => ({ session_ids: [nowhere] }),
      `session not found: ${nowhere}`,
      'session/not-found',
    ],
    ['preview_edit', () => ({ ...point, new_text: '' }), 'file_path is required', 'tools/missing-argument'],
    [
      'preview_edit',
      () => ({
        file_path: ts.file('../../etc/passwd'),
        ...point,
        new_text: '',
        workspace_root: ts.root,
        language: 'typescript',
      }),
      'is outside workspace root',
      'workspace/outside',
    ],
    [
      'preview_edit',
      () => ({
        file_path: ts.file('math.ts'),
        start_line: 900,
        start_column: 1,
        end_line: 900,
        end_column: 1,
        new_text: 'x',
        workspace_root: ts.root,
        language: 'typescript',
      }),
      'apply_edit failed: ',
      'text/line-out-of-range',
    ],
    [
      'get_diagnostics',
      () => ({ file_path: '/etc/passwd' }),
      'invalid file path: file path "/etc/passwd" is outside workspace root',
      'workspace/outside',
    ],
    [
      'get_diagnostics',
      () => ({ file_path: ts.file('absent.ts') }),
      'failed to reopen document: ',
      'overlay/no-such-file',
    ],
    ['start_lsp', () => ({}), 'root_dir is required', 'tools/missing-argument'],
    [
      'start_lsp',
      () => ({ root_dir: ts.root, language_id: 'klingon' }),
      'no server configured for language "klingon"',
      'servers/not-installed',
    ],
    [
      'start_lsp',
      () => ({ root_dir: ts.root, connect: 'nonsense' }),
      'passive connect failed: ',
      'tools/invalid-argument',
    ],
    [
      'set_log_level',
      () => ({ level: 'loud' }),
      'level must be one of: debug, info',
      'tools/invalid-argument',
    ],
    ['detect_lsp_servers', () => ({}), 'workspace_dir is required', 'tools/missing-argument'],
    [
      'apply_edit',
      () => ({}),
      'workspace_edit is required (or supply file_path + old_text + new_text for text-match mode)',
      'tools/missing-argument',
    ],
    [
      'apply_edit',
      () => ({ file_path: ts.file('math.ts'), old_text: 'zzz', new_text: '' }),
      'apply_edit (text-match): old_text not found in',
      'tools/invalid-argument',
    ],
    ['apply_edit', () => ({ workspace_edit: { changes: 3 } }), 'apply_edit: ', 'tools/invalid-argument'],
    [
      'apply_edit',
      () => ({ workspace_edit: { changes: { 'file:///etc/passwd': [] } } }),
      'is outside workspace root',
      'workspace/outside',
    ],
    [
      'safe_apply_edit',
      () => ({ file_path: ts.file('math.ts'), old_text: 'zzz', new_text: '' }),
      'old_text not found in',
      'tools/invalid-argument',
    ],
  ];

  test.each(cases)(
    '%s %# answers with its sentence, a code and a remedy',
    async (tool, args, sentence, code) => {
      await connection.call('start_lsp', { root_dir: ts.root, language_id: 'typescript' });
      const answer = await connection.call(tool, args());
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain(sentence);
      expect(JSON.parse(answer.content[1] ?? '')).toMatchObject({
        code,
        remedy: expect.stringMatching(/\w.*\./s),
      });
    },
  );

  test('an unknown tool is a protocol fault', async () => {
    await expect(connection.call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
  });

  test('older names and arguments nobody knows are accepted', async () => {
    const answer = await connection.call('simulate_edit_atomic', {
      file_path: ts.file('math.ts'),
      range: { start: { line: '2', column: 1.0 }, end: { line: 2, column: 1 } },
      new_text: '  ',
      nonsense: true,
      ...patience,
    });
    expect(answer.json).toMatchObject({ verdict: 'clean', scope: 'file' });
  });
});

describe('the connection', () => {
  test('progress and log messages reach a client that asked for them', async () => {
    const events: unknown[] = [];
    connection.client.setNotificationHandler(
      'notifications/message',
      ({ params }) => void events.push(params.data),
    );
    await connection.client.setLoggingLevel('debug');
    const messages: unknown[] = [];
    const call = { name: 'evaluate_session', arguments: { session_id: 'none' } };
    await connection.client.callTool(call);
    const start = { name: 'restart_lsp_server', arguments: { root_dir: ts.root, language_id: 'typescript' } };
    // The client drops progress that arrives in one piece with the answer; a handler of ours sees every notification.
    connection.client.setNotificationHandler(
      'notifications/progress',
      ({ params }) => void messages.push(params.message),
    );
    await connection.client.callTool(start, { onprogress: () => {} });
    await connection.client.setLoggingLevel('info');
    expect(messages).toEqual(['starting the typescript server']);
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'tool.called', tool: 'evaluate_session' }),
    );
  });

  test('a cancelled call leaves the connection and the workspace as they were', async () => {
    const controller = new AbortController();
    const args = {
      file_path: ts.file('math.ts'),
      start_line: 1,
      start_column: 1,
      end_line: 1,
      end_column: 1,
    };
    const request = { name: 'preview_edit', arguments: { ...args, new_text: '(' } };
    const cancelled = connection.client.callTool(request, { signal: controller.signal });
    controller.abort(new Error('never mind'));
    await expect(cancelled).rejects.toThrow();
    const after = await connection.call('get_diagnostics', { file_path: ts.file('math.ts') });
    expect(Object.values(after.json ?? {})).toEqual([[]]);
  });

  test('a line that is not JSON is answered, and the next one is served', async () => {
    const child = spawn(process.execPath, [bin, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '0' },
    };
    child.stdin.write(
      `{"jsonrpc":\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    );
    const answers: unknown[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      answers.push(JSON.parse(line));
      if (answers.length === 2) break;
    }
    child.stdin.end();
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      {
        id: 1,
        result: { serverInfo: { name: 'forerun' }, instructions: expect.stringContaining('preview_edit') },
      },
    ]);
  });

  type Ending = readonly [how: string, end: (live: McpConnection) => Promise<unknown>];
  const endings: readonly Ending[] = [
    ['is killed', async (live) => process.kill(live.pid, 'SIGKILL')],
    ['is asked to end', async (live) => process.kill(live.pid, 'SIGTERM')],
    ['loses its client', (live) => live.client.close()],
  ];
  test.each(endings)('no language server outlives a program that %s', async (_how, end) => {
    const mark = `FORERUN_TEST_MARK=${randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    await using fixture = await openFixture('ts-two-modules');
    const live = await McpConnection.open({ env: { [name]: value } });
    await live.call('get_diagnostics', { file_path: fixture.file('math.ts') });
    expect((await processesMarked(mark)).length).toBeGreaterThan(1);
    await end(live);
    await until(async () => expect(await processesMarked(mark)).toEqual([]));
    await live[Symbol.asyncDispose]();
  });
});
