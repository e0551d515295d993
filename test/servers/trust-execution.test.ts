/** Every front end on a workspace that brings programs along: while it is not trusted, none of them runs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { PlantedWorkspace } from '../support/planted-workspace.ts';

let planted: PlantedWorkspace;

beforeEach(async () => {
  planted = await PlantedWorkspace.open();
});

afterEach(() => planted[Symbol.asyncDispose]());

const patch = `--- a/app.ts
+++ b/app.ts
@@ -1 +1,2 @@
 export const answer: number = "forty-two";
+export const more: number = "x";
--- a/main.py
+++ b/main.py
@@ -1,3 +1,4 @@
 import mylib
 
 answer: str = mylib.number()
+more: str = mylib.number()
`;

describe('whatif', () => {
  const whatif = (...words: readonly string[]) =>
    runInProcess(['whatif', '-', ...words], { cwd: planted.root, input: patch, env: environment() });

  test('judges with what lies outside, and says what was not used', async () => {
    const { stdout, code } = await whatif('--json', '--root', planted.root);
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report).toMatchObject({ verdict: 'broken', errors: 2 });
    expect(report.untrusted.not_used).toEqual(
      expect.arrayContaining([expect.stringContaining('lib/tsc'), planted.at('.venv/bin/python')]),
    );
    expect(report.untrusted.how_to_trust).toContain(`forerun trust ${planted.root}`);
    expect(await planted.ran()).toEqual([]);
  });

  test('tells a person', async () => {
    const { stdout } = await whatif();
    expect(stdout).toContain(
      `not used: ${planted.at('.venv/bin/python')}, because the workspace is not trusted\n`,
    );
    expect(stdout).toContain('forerun trust ');
    expect(await planted.ran()).toEqual([]);
  });

  test.each(['--trust', 'the store'])(
    'uses what the workspace brings once it is trusted by %s',
    async (by) => {
      if (by === 'the store') planted.trust();
      await whatif('--json', ...(by === 'the store' ? [] : [by]));
      const ran = await planted.ran();
      expect(ran).toEqual(expect.arrayContaining([expect.stringContaining('lib/tsc')]));
      expect(ran).toContain('.venv/bin/python');
    },
  );
});

test('doctor starts servers of the machine only, and names the others', async () => {
  // The search path leads into the workspace only: what starts are the servers that come along, and no slow one besides.
  const env = { ...environment(), PATH: environment().PATH?.replace(process.env.PATH ?? '', '') ?? '' };
  const { stdout } = await runInProcess(['doctor', '--json'], { cwd: planted.root, env });
  const { untrusted, summary } = JSON.parse(stdout);
  expect(summary).toEqual({ ok: 2, failed: 0 });
  expect(untrusted.not_used).toEqual(
    expect.arrayContaining(['node_modules/.bin/gopls', '.venv/bin/python'].map((name) => planted.at(name))),
  );
  expect(await planted.ran()).toEqual([]);
});

test('detect_lsp_servers runs nothing of the workspace', async () => {
  const given = JSON.stringify({ workspace_dir: planted.root });
  const { stdout } = await runInProcess(['call', 'detect_lsp_servers', given], {
    cwd: planted.root,
    env: environment(),
  });
  expect(JSON.parse(stdout).untrusted.not_used.length).toBeGreaterThan(2);
  expect(await planted.ran()).toEqual([]);
});

test('update asks npm of the machine, away from the workspace', async () => {
  await planted.write('.npmrc', `script-shell=${planted.at('tools/hook')}\nregistry=http://127.0.0.1:9/\n`);
  await runInProcess(['update'], {
    cwd: planted.root,
    env: { ...environment(), npm_config_offline: 'true' },
  });
  expect(await planted.ran()).toEqual([]);
});

test('a hook judges without running anything', async () => {
  const input = JSON.stringify({
    file_path: planted.at('app.ts'),
    content: 'export const a: number = "b";\n',
  });
  const { stdout } = await runProgram(['hook', '--mode', 'deny', '--deadline', '60000'], {
    cwd: planted.root,
    env: environment(),
    input,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'deny',
    verdict: 'broken',
    untrusted: { not_used: [expect.stringContaining('lib/tsc')] },
  });
  expect(await planted.ran()).toEqual([]);
});

test('a broker serves an untrusted workspace with what lies outside, and a trusted one apart from it', async () => {
  const directory = join(planted.root, '..', 'brokers');
  const env = { ...environment(), FORERUN_DAEMON: 'on', FORERUN_DAEMON_DIR: directory };
  const diagnose = (...words: readonly string[]) => {
    const given = JSON.stringify({ file_path: planted.at('app.ts') });
    return runProgram(['call', 'get_diagnostics', given, ...words], { cwd: planted.root, env });
  };
  try {
    expect((await diagnose()).stdout).toMatch(/not assignable/);
    const { stdout } = await runProgram(['daemon', 'status', '--json'], { env });
    expect(stdout).toContain(planted.root);
    expect(await planted.ran()).toEqual([]);
    await diagnose('--trust');
    expect(await planted.ran()).toEqual(expect.arrayContaining([expect.stringContaining('lib/tsc')]));
  } finally {
    await runProgram(['daemon', 'stop', '--all'], { env });
  }
});

describe('over MCP', () => {
  const open = (...words: readonly string[]) =>
    McpConnection.open({
      cwd: planted.root,
      words,
      env: environment(),
      state: planted.env.XDG_STATE_HOME ?? '',
    });

  test('no tool runs what the workspace brings, and each says what it did without', async () => {
    await using connection = await open();
    const started = await connection.call('start_lsp', { root_dir: planted.root });
    expect(started.isError).toBe(false);
    expect(started.content.at(-1)).toContain('"untrusted"');
    for (const file of ['app.ts', 'main.py']) {
      const answer = await connection.call('get_diagnostics', { file_path: planted.at(file) });
      expect(answer.text).toMatch(/not assignable/);
      expect(answer.content.at(-1)).toContain('forerun trust');
    }
    await connection.call('get_symbol_documentation', {
      symbol: 'json.dumps',
      language_id: 'python',
      file_path: planted.at('main.py'),
    });
    await connection.call('detect_changes', { workspace_root: planted.root });
    await connection.call('detect_lsp_servers', { workspace_dir: planted.root });
    await connection.call('get_server_capabilities');
    expect(await planted.ran()).toEqual([]);
  });

  test.each(['run_build', 'run_tests'])('%s is refused with the way to trust', async (tool) => {
    await using connection = await open();
    const refused = await connection.call(tool, { workspace_dir: planted.root });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('not trusted') });
    expect(refused.content.at(-1)).toContain('workspace/untrusted');
    expect(refused.content.at(-1)).toContain(`forerun trust ${planted.root}`);
    expect(await planted.ran()).toEqual([]);
  });

  test('trust is seen by a process that runs already', async () => {
    await using connection = await open();
    await connection.call('get_diagnostics', { file_path: planted.at('app.ts') });
    expect(await planted.ran()).toEqual([]);
    connection.trust(planted.root);
    await connection.call('get_diagnostics', { file_path: planted.at('app.ts') });
    expect(await planted.ran()).toEqual(expect.arrayContaining([expect.stringContaining('lib/tsc')]));
    expect(
      (await connection.call('run_tests', { workspace_dir: planted.root })).content.at(-1),
    ).not.toContain('workspace/untrusted');
  });

  test('--trust covers the workspace of the process and no other', async () => {
    await using other = await PlantedWorkspace.open();
    await using connection = await open('--trust');
    await connection.call('get_diagnostics', { file_path: planted.at('app.ts') });
    expect(await planted.ran()).not.toEqual([]);
    await connection.call('start_lsp', { root_dir: other.root });
    expect(await other.ran()).toEqual([]);
  });

  test('servers that a file of the workspace names are not started, one outside is the word of its user', async () => {
    const servers = [
      { extensions: ['ts'], command: ['sh', '-c', planted.at('tools/hook')], language_id: 'typescript' },
    ];
    const inside = planted.at('servers.json');
    const outside = join(planted.root, '..', 'servers.json');
    for (const file of [inside, outside]) await writeFile(file, JSON.stringify({ servers }));
    // The one that is started runs confined, since nobody knows what it executes: it leaves no mark, but it ends.
    for (const [file, said] of [
      [inside, 'not trusted'],
      [outside, 'lsp/initialize-failed'],
    ] as const) {
      await using connection = await open('--config', file);
      const answer = await connection.call('start_lsp', { root_dir: planted.root });
      expect(answer.isError).toBe(true);
      expect(answer.content.join('\n')).toContain(said);
      expect(await planted.ran()).toEqual([]);
    }
  });

  test('a folder that is not trusted lowers the trust of the workspace it is added to', async () => {
    await using other = await PlantedWorkspace.open({ 'b.ts': 'export const b = 1;\n' });
    await using connection = await open('--trust');
    await connection.call('start_lsp', { root_dir: planted.root, language_id: 'yaml' });
    await connection.call('add_workspace_folder', { path: other.root });
    const before = await planted.ran();
    await connection.call('get_diagnostics', { file_path: planted.at('app.ts') });
    expect(await planted.ran()).toEqual(before);
    expect(await other.ran()).toEqual([]);
  });
});

/** A user whose search path leads into the workspace; what loads code into node itself is left out for our own start. */
function environment(): Readonly<Record<string, string>> {
  const { NODE_OPTIONS: _, ...env } = planted.env;
  return { ...env, FORERUN_DAEMON: 'off', FORERUN_AUDIT_LOG: 'off', FORERUN_CACHE_DIR: 'off' };
}
