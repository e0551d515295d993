/** `forerun clean` as a user runs it, beside processes that are at work. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProgramRun } from '../support/built-program.ts';
import { openFixture } from '../support/fixture.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { McpConnection } from '../support/mcp-connection.ts';

const conversation = (digit: number) => `0a1b2c3d-0000-4000-8000-00000000000${digit}.jsonl`;
const long = new Date(Date.now() - 400 * 24 * 3_600_000);

let home: string;
let state: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forerun-clean-'));
  state = join(home, 'state');
});

afterEach(() => rm(home, { recursive: true, force: true }));

function clean(...words: string[]): Promise<ProgramRun> {
  const env = { HOME: home, XDG_STATE_HOME: state, XDG_CACHE_HOME: join(home, 'cache') };
  return runInProcess(['clean', ...words], { env });
}

async function keep(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '{}\n');
  for (const each of [path, dirname(path)]) await utimes(each, long, long);
  return path;
}

test('it shows first and removes then, and refuses names it does not know', async () => {
  const directory = join(state, 'forerun/conversations', 'a'.repeat(16));
  await keep(join(directory, conversation(1)));
  const shown = await clean('--dry-run', 'conversations');
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('1 item would go')]);
  expect(await readdir(directory)).toHaveLength(1);
  const done = await clean('--json', 'conversations');
  expect(JSON.parse(done.stdout)).toMatchObject({ dry_run: false, kinds: [{ name: 'conversations' }] });
  expect(await readdir(directory)).toEqual([]);
  const refused = await clean('everything');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cli/unknown-kind')]);
});

test.runIf(process.platform === 'linux')('a conversation that a process has open stays', async () => {
  const directory = join(state, 'forerun/conversations', 'a'.repeat(16));
  const held = await open(await keep(join(directory, conversation(1))), 'r');
  await keep(join(directory, conversation(2)));
  await clean('--all', 'conversations');
  expect(await readdir(directory)).toEqual([conversation(1)]);
  await held.close();
  await clean('--all', 'conversations');
  expect(await readdir(directory)).toEqual([]);
});

test.runIf(process.platform === 'linux')('a scratch directory goes only after its process', async () => {
  const mounts = join(home, 'cache/forerun/mounts');
  const scratch = join(mounts, 'forerun-mount-AbCdEf');
  await keep(join(scratch, 'upper'));
  const child = spawn('sleep', ['600'], { cwd: scratch });
  await once(child, 'spawn');
  await clean('mounts');
  expect(await readdir(mounts)).toEqual(['forerun-mount-AbCdEf']);
  child.kill('SIGKILL');
  await once(child, 'close');
  await clean('mounts');
  expect(await readdir(mounts)).toEqual([]);
});

test('a session that a client works on stays usable', async () => {
  await using ts = await openFixture('ts-two-modules');
  await using connection = await McpConnection.open({ state });
  const { json } = await connection.call('create_simulation_session', {
    workspace_root: ts.root,
    language: 'typescript',
  });
  const session_id = String(json?.session_id);
  await clean('--all', 'sessions');
  const [workspace = ''] = await readdir(join(state, 'forerun/sessions'));
  const sessions = join(state, 'forerun/sessions', workspace);
  expect(await readdir(sessions)).toEqual([session_id]);
  // Also one that was untouched for so long that it is removed under its client.
  const folder = join(sessions, session_id);
  for (const entry of await readdir(folder, { recursive: true }))
    await utimes(join(folder, entry), long, long);
  await utimes(folder, long, long);
  await clean('sessions');
  expect(await readdir(sessions)).toEqual([]);
  const edit = { start_line: 1, start_column: 1, end_line: 1, end_column: 1, new_text: '// x\n' };
  const edited = await connection.call('simulate_edit', {
    session_id,
    file_path: ts.file('math.ts'),
    ...edit,
  });
  expect(edited.isError).toBe(false);
  expect(await readdir(sessions)).toEqual([session_id]);
});
