/** Sessions shared between processes: listed, watched, committed and discarded by another, killed owners included. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionNotice } from '../../src/session/session-store.ts';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { childProgram } from '../support/child-program.ts';
import { openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { archiveIn, SessionProcess, storeIn } from '../support/session-process.ts';
import { until } from '../support/until.ts';

const calm = new AbortController().signal;
const script = childProgram('session-child');
const patience = { timeout: 300_000 };
let scratch: string;
let root: string;
let state: string;

beforeEach(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'forerun-session-store-')));
  [root, state] = [join(scratch, 'root'), join(scratch, 'state')];
  await mkdir(root);
});

afterEach(() => rm(scratch, { recursive: true, force: true }));

/** A process of its own that works on sessions. */
class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #output: AsyncIterator<string>;

  private constructor() {
    const words = [script, root, state];
    this.#process = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!this.#process.stdout) throw new Error('the process has no output');
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#output = this.#lines[Symbol.asyncIterator]();
  }

  static async start(): Promise<Child> {
    const child = new Child();
    expect(await child.#answer()).toBe('ready');
    return child;
  }

  ask(...words: readonly string[]): Promise<string> {
    this.#process.stdin?.write(`${words.join(' ')}\n`);
    return this.#answer();
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'close');
    this.#process.kill('SIGKILL');
    await gone;
  }

  async #answer(): Promise<string> {
    const { value } = await this.#output.next();
    return value ?? 'ended';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

const atStart = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };

test(
  'S1, S3: a session made over MCP is listed, watched and committed by another process',
  patience,
  async () => {
    await using ts = await openFixture('ts-two-modules');
    await using first = await McpConnection.open({ state });
    await using second = await McpConnection.open({ state });
    const notices: SessionNotice[] = [];
    await using _watch = await storeIn(state).watch((notice) => notices.push(notice), calm);
    const created = await first.call('create_simulation_session', {
      workspace_root: ts.root,
      language: 'typescript',
    });
    const session_id = String(created.json?.session_id);
    const edit = { session_id, file_path: ts.file('math.ts'), ...atStart };
    await first.call('simulate_edit', { ...edit, new_text: '// from the first\n' });
    expect((await second.call('list_sessions')).json).toMatchObject({
      sessions: [{ session_id, status: 'mutated', edits: 1, resumable: false, owner_pid: first.pid }],
    });
    await until(() =>
      expect(notices.at(-1)).toMatchObject({
        kind: 'changed',
        session: { id: session_id, state: 'mutated' },
      }),
    );
    expect((await second.call('resume_session', { session_id })).text).toContain(
      `session ${session_id} is owned by process ${first.pid}`,
    );
    const committed = await second.call('commit_session', { session_id, apply: true });
    expect(committed.json).toMatchObject({ session_id, files_written: 1 });
    const text = await readFile(ts.file('math.ts'), 'utf8');
    expect(text.match(/from the first/g)).toHaveLength(1);
    await until(() =>
      expect(notices.at(-1)).toMatchObject({ session: { id: session_id, end: 'committed' } }),
    );
    const refused = await first.call('simulate_edit', { ...edit, new_text: '// again\n' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining(`session ${session_id} is in terminal state: committed`),
    });
    expect((await first.call('list_sessions')).json).toMatchObject({
      sessions: [{ session_id, status: 'committed' }],
    });
    expect((await second.call('list_sessions')).json).toEqual({ sessions: [] });
    expect((await second.call('commit_session', { session_id, apply: true })).text).toContain(
      `session ${session_id} cannot be committed in state committed`,
    );
    expect(await readFile(ts.file('math.ts'), 'utf8')).toBe(text);
  },
);

test('S2: of a commit and a discard from two processes at once exactly one wins', patience, async () => {
  const random = SeededRandom.fromEnvironment();
  await using owner = await SessionProcess.open(root, state);
  await using one = await Child.start();
  await using other = await Child.start();
  const tally = new Set<string>();
  for (let round = 0; round < 50; round++) {
    const file = `f${round}.scripted`;
    await writeFile(join(root, file), 'old');
    const session = await owner.create();
    await owner.write(session, file, 'new');
    const commits = random.pick(['one', 'other', 'both'] as const);
    const how = (name: 'one' | 'other') => (commits === name || commits === 'both' ? 'commit' : 'discard');
    const askLater = async (child: Child, name: 'one' | 'other'): Promise<string> => {
      for (let turn = random.below(40); turn > 0; turn--) await new Promise((next) => setImmediate(next));
      return child.ask(how(name), session.id);
    };
    const answers = await Promise.all([askLater(one, 'one'), askLater(other, 'other')]);
    const won = answers.filter((answer) => answer === 'committed' || answer === 'discarded');
    expect(won, `round ${round}: ${answers}`).toHaveLength(1);
    const lost = answers.find((answer) => answer !== won[0]);
    expect(lost).toMatch(/^session\/(?:terminal|not-committable)$/);
    expect(await readFile(join(root, file), 'utf8')).toBe(won[0] === 'committed' ? 'new' : 'old');
    await expect(owner.write(session, file, 'newer')).rejects.toMatchObject({ code: 'session/terminal' });
    expect(session.state.kind).toBe(won[0]);
    tally.add(won[0] ?? '');
  }
  expect(tally).toEqual(new Set(['committed', 'discarded']));
});

test('S2, S4: an owner killed at any moment leaves a session that another can finish', patience, async () => {
  const random = SeededRandom.fromEnvironment();
  for (let round = 0; round < 8; round++) {
    const file = `k${round}.scripted`;
    await writeFile(join(root, file), 'old');
    const doomed = await Child.start();
    const id = await doomed.ask('create');
    expect(await doomed.ask('write', id, file, 'v1')).toBe('written');
    const isCommitting = round % 2 === 0;
    const last = isCommitting ? doomed.ask('commit', id) : doomed.ask('write', id, file, 'v2');
    const killAtMs = performance.now() + random.below(30);
    while (performance.now() < killAtMs) await new Promise((next) => setImmediate(next));
    await doomed.kill();
    const isReported = (await last) === 'committed';
    await using later = await SessionProcess.open(root, state);
    const stored = await storeIn(state).find(id);
    // What the next process finds: the files are written if and only if the session has ended.
    const found = await readFile(join(root, file), 'utf8');
    expect(found, `round ${round}`).toBe(stored?.end === 'committed' ? 'v1' : 'old');
    if (isReported) expect(stored?.end).toBe('committed');
    const how = round % 4 < 2 ? 'commit' : 'discard';
    const outcome = await later.finish(id, how);
    if (stored?.end) {
      expect(outcome).toMatch(/^session\/(?:terminal|not-committable)$/);
    } else {
      expect(outcome, `round ${round}`).toBe(how === 'commit' ? 'committed' : 'discarded');
      const text = await readFile(join(root, file), 'utf8');
      if (how === 'discard') expect(text).toBe('old');
      else expect(isCommitting ? ['v1'] : ['v1', 'v2']).toContain(text);
    }
    expect(await later.sessions.list()).toEqual([]);
  }
});

test('S5: a record that cannot be read is left as it is and hides no other session', async () => {
  await using owner = await SessionProcess.open(root, state);
  const session = await owner.create();
  const folder = join(archiveIn(state), workspaceKey(root), '00000000-0000-4000-8000-000000000000');
  await mkdir(folder);
  for (const text of ['{', '{"version":1}', JSON.stringify({ version: 3 })]) {
    await writeFile(join(folder, 'session.json'), text);
    await using later = await SessionProcess.open(root, state);
    expect((await later.sessions.list()).map(({ id }) => id)).toEqual([session.id]);
    expect(await readFile(join(folder, 'session.json'), 'utf8')).toBe(text);
  }
  expect(await readdir(folder)).toEqual(['session.json']);
});

test('a session resumed elsewhere in this process is no longer edited by its first holder', async () => {
  await writeFile(join(root, 'a.scripted'), 'old');
  await using first = await SessionProcess.open(root, state);
  const session = await first.create();
  await first.write(session, 'a.scripted', 'v1');
  await using second = await SessionProcess.open(root, state);
  const resumed = await second.sessions.resume(session.id, calm);
  await expect(first.write(session, 'a.scripted', 'v2')).rejects.toMatchObject({ code: 'session/owned' });
  await second.write(resumed, 'a.scripted', 'v3');
  expect(resumed.history.edits).toHaveLength(2);
});
