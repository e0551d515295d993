/** What one process stores about its sessions for the people who look at them in another. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredSession } from '../../src/session/session-record.ts';
import type { SessionNotice } from '../../src/session/session-store.ts';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { archiveIn, SessionProcess, storeIn } from '../support/session-process.ts';
import { until } from '../support/until.ts';

const calm = new AbortController().signal;
const patience = { timeout: 300_000 };
let scratch: string;
let root: string;
let state: string;

beforeEach(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'forerun-session-details-')));
  [root, state] = [join(scratch, 'root'), join(scratch, 'state')];
  await mkdir(root);
});

afterEach(() => rm(scratch, { recursive: true, force: true }));

const signature = { start_line: 1, start_column: 21, end_line: 1, end_column: 30 };

test(
  'another process is shown who made a session, what for, its last verdict and the commands run on it',
  patience,
  async () => {
    await using ts = await openFixture('ts-two-modules');
    await using client = await McpConnection.open({ state });
    const notices: SessionNotice[] = [];
    await using _watch = await storeIn(state).watch((notice) => notices.push(notice), calm);
    const created = await client.call('create_simulation_session', {
      workspace_root: ts.root,
      language: 'typescript',
      title: 'Take text instead of numbers.',
    });
    const session_id = String(created.json?.session_id);
    const stored = async (): Promise<StoredSession | undefined> => storeIn(state).find(session_id);
    expect(await stored()).toMatchObject({ author: 'test', title: 'Take text instead of numbers.' });
    const edit = { session_id, file_path: ts.file('math.ts'), ...signature };
    await client.call('simulate_edit', { ...edit, new_text: 'a: string' });
    expect((await stored())?.evaluation).toBeUndefined();
    await client.call('evaluate_session', { session_id, scope: 'workspace' });
    await until(() =>
      expect(notices.at(-1)).toMatchObject({ kind: 'changed', session: { state: 'evaluated' } }),
    );
    expect(await stored()).toMatchObject({
      state: 'evaluated',
      evaluation: {
        verdict: { kind: 'broken', in: expect.arrayContaining(['app.ts']) },
        evaluation: { confidence: 'high', settle: { mode: 'pull' }, doubts: [] },
        counts: { files: 2, resolved: 0 },
      },
    });
    await client.call('simulate_command', { session_id, command: 'grep -c "a: string" math.ts' });
    expect((await stored())?.commands).toMatchObject([
      { command: 'grep -c "a: string" math.ts', ran: true, passed: true, exitCode: 0 },
    ]);
    expect((await client.call('list_sessions')).json).toMatchObject({
      sessions: [{ session_id, client: 'test', title: 'Take text instead of numbers.', verdict: 'broken' }],
    });
    // The verdict and the command are about the text they were run on.
    await client.call('simulate_edit', { ...edit, new_text: 'a: number' });
    expect(await stored()).toMatchObject({ author: 'test', state: 'mutated' });
    expect(await stored()).not.toMatchObject({ evaluation: expect.anything() });
    expect(await stored()).not.toMatchObject({ commands: expect.anything() });
  },
);

test('a session that ends says when', async () => {
  await writeFile(join(root, 'a.scripted'), 'old');
  await using owner = await SessionProcess.open(root, state);
  const session = await owner.create();
  await owner.write(session, 'a.scripted', 'new');
  const before = Date.now();
  expect(await owner.finish(session.id, 'commit')).toBe('committed');
  const { endedAt = 0, end } = (await storeIn(state).find(session.id)) ?? {};
  expect(end).toBe('committed');
  expect(endedAt).toBeGreaterThanOrEqual(before);
  expect(endedAt).toBeLessThanOrEqual(Date.now());
});

test('a record without details, or with details of another form, is still a session', async () => {
  await writeFile(join(root, 'a.scripted'), 'old');
  await using owner = await SessionProcess.open(root, state);
  const session = await owner.create();
  await owner.write(session, 'a.scripted', 'new');
  await session.evaluate({ scope: 'workspace' }, calm);
  const file = join(archiveIn(state), workspaceKey(root), session.id, 'session.json');
  const record: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'));
  expect(record).toMatchObject({ evaluation: { counts: { introduced: 0 } } });
  for (const details of [{}, { author: 7, title: [], evaluation: { verdict: 'fine' }, commands: 'none' }]) {
    const { author: _1, title: _2, evaluation: _3, commands: _4, ...bare } = record;
    await writeFile(file, JSON.stringify({ ...bare, ...details }));
    const stored = await storeIn(state).find(session.id);
    expect(stored).toMatchObject({ id: session.id, edits: [{ path: 'a.scripted' }] });
    expect([stored?.author, stored?.title, stored?.evaluation, stored?.commands]).toEqual(Array(4));
  }
});

test('a session resumed by another process keeps what is known about it', async () => {
  await writeFile(join(root, 'a.scripted'), 'old');
  await using first = await SessionProcess.open(root, state);
  const session = await first.create();
  await first.write(session, 'a.scripted', 'ERROR(new)');
  await session.evaluate({ scope: 'workspace' }, calm);
  await using second = await SessionProcess.open(root, state);
  const resumed = await second.sessions.resume(session.id, calm);
  expect(resumed.history.details.evaluation).toMatchObject({
    verdict: { kind: 'broken', errors: 1, in: ['a.scripted'] },
    counts: { introducedErrors: 1 },
  });
});
