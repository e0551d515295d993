/** The future and the what-ifs of the editor over its wire, with a scripted server and a second process. */
import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FutureState } from '../../src/editor/protocol/future.ts';
import type { WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import type { EditorPage } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { SessionProcess } from '../support/session-process.ts';
import { until } from '../support/until.ts';

const files = {
  'a.scripted': 'PROVIDES\nfirst\nlast\n',
  'b.scripted': 'NEEDS(a.scripted)\n',
  'c.scripted': 'plain\n',
  'd.scripted': 'one\ntwo\nthree\n',
  'notes.zzz': 'text\n',
};

let world: EditorWorld;
let page: EditorPage;

beforeEach(async () => {
  world = await EditorWorld.open({ files, definitions: [scriptedDefinition({})] });
  page = await world.page();
});

afterEach(() => world[Symbol.asyncDispose]());

/** The last state of the future that the page was told. */
function future(): FutureState | undefined {
  const last = page.events.findLast((event) => event.kind === 'future.changed');
  return last?.kind === 'future.changed' ? last.future : page.snapshot?.future?.state;
}

function rows(): readonly WhatIfRow[] {
  const known = new Map((page.snapshot?.whatIfs ?? []).map((row) => [row.id, row]));
  for (const event of page.events) {
    if (event.kind !== 'whatif.changed') continue;
    for (const row of event.rows) known.set(row.id, row);
    for (const id of event.removed) known.delete(id);
  }
  return [...known.values()];
}

const row = (title: string): WhatIfRow | undefined => rows().find((each) => each.title === title);

test('a break in a closed file is announced while typing, before saving, and goes when it is mended', async () => {
  expect(page.snapshot?.future?.state).toEqual({ kind: 'nothing' });
  const a = await page.open('a.scripted');
  await a.replace('PROVIDES', 'removed');
  expect((await page.event('future.changed')).future).toEqual({ kind: 'checking' });
  await until(() => expect(future()).toMatchObject({ kind: 'checked' }));
  expect(future()).toMatchObject({
    unsaved: ['a.scripted'],
    versions: { 'a.scripted': 1 },
    evaluation: {
      verdict: { kind: 'broken', errors: 1, in: ['b.scripted'] },
      isProved: true,
      introduced: [{ path: 'b.scripted', message: 'needs a.scripted', severity: 'error' }],
      servers: [{ name: 'scripted', settle: 'pull' }],
    },
    causes: [{ path: 'a.scripted', line: 0, errors: 1, files: ['b.scripted'] }],
  });
  expect(world.editor.buffers.overlay().isEmpty).toBe(false);
  await a.replace('removed', 'PROVIDES it');
  await until(() =>
    expect(future()).toMatchObject({ evaluation: { verdict: { kind: 'clean' }, isProved: true } }),
  );
  await a.replace('PROVIDES it', 'PROVIDES');
  await until(() => expect(future()).toEqual({ kind: 'nothing' }));
});

test('what is typed during a check is what the next verdict is about, and no older verdict follows it', async () => {
  const a = await page.open('a.scripted');
  for (let n = 0; n < 30; n++)
    await a.replace(n % 2 === 0 ? 'PROVIDES' : 'gone', n % 2 === 0 ? 'gone' : 'PROVIDES');
  await a.replace('PROVIDES', 'gone');
  await until(() => expect(future()).toMatchObject({ kind: 'checked', versions: { 'a.scripted': 31 } }));
  const checked = page.events.flatMap((event) =>
    event.kind === 'future.changed' && event.future.kind === 'checked' ? [event.future] : [],
  );
  const versions = checked.map((state) => state.versions['a.scripted'] ?? 0);
  expect(versions).toEqual([...versions].sort((one, other) => one - other));
  expect(checked.at(-1)).toMatchObject({ evaluation: { verdict: { kind: 'broken', in: ['b.scripted'] } } });
});

test('a report of files that no server reads does not begin the check anew', async () => {
  const a = await page.open('a.scripted');
  await a.replace('PROVIDES', 'gone');
  await until(() => expect(future()).toMatchObject({ kind: 'checked' }));
  const before = page.events.length;
  await writeFile(world.scratch.at('run.log'), 'one line\n');
  await page.event('file.changed', ({ directories }) => directories.includes(''));
  // What the report began would have been published before this is answered.
  await page.request('file.list', { directory: '' });
  expect(page.events.slice(before).filter(({ kind }) => kind === 'future.changed')).toEqual([]);
  await writeFile(world.scratch.at('e.scripted'), 'NEEDS(a.scripted)\n');
  await until(() =>
    expect(future()).toMatchObject({ evaluation: { verdict: { in: ['b.scripted', 'e.scripted'] } } }),
  );
});

test('a disk that changes all the time does not keep the verdict away, which then says that it is in doubt', async () => {
  await using busy = await EditorWorld.open({
    files,
    definitions: [scriptedDefinition({ answerAfterMs: { 'textDocument/diagnostic': 300 } })],
  });
  const shown = await busy.page();
  const a = await shown.open('a.scripted');
  let count = 0;
  const writing = setInterval(() => writeFileSync(busy.scratch.at('c.scripted'), `plain ${count++}\n`), 20);
  try {
    await a.replace('PROVIDES', 'gone');
    const { future: checked } = await shown.event(
      'future.changed',
      (event) => event.future.kind === 'checked',
    );
    expect(checked).toMatchObject({
      evaluation: { verdict: { kind: 'broken', in: ['b.scripted'] }, isProved: false },
    });
    await shown.event('code.diagnostics', ({ diagnostics }) => diagnostics.version === 1);
  } finally {
    clearInterval(writing);
  }
  await until(() =>
    expect(shown.events.findLast(({ kind }) => kind === 'future.changed')).toMatchObject({
      future: { evaluation: { verdict: { kind: 'broken' }, isProved: true } },
    }),
  );
});

test('a file without a server is not called clean', async () => {
  const notes = await page.open('notes.zzz');
  await notes.replace('text', 'other');
  await until(() =>
    expect(future()).toEqual({ kind: 'unchecked', reason: 'no-server', detail: 'no server for .zzz' }),
  );
});

test('saving one of two unsaved files is judged without the other', async () => {
  const [a, c] = [await page.open('a.scripted'), await page.open('c.scripted')];
  await a.replace('PROVIDES', 'gone');
  await c.replace('plain', 'plainer');
  const alone = await page.request('future.beforeSave', { paths: ['c.scripted'] });
  expect(alone.evaluation?.verdict).toEqual({ kind: 'clean' });
  const both = await page.request('future.beforeSave', { paths: ['a.scripted', 'c.scripted'] });
  expect(both.evaluation?.verdict).toMatchObject({ kind: 'broken', in: ['b.scripted'] });
});

test.each([
  ['disk', 'PROVIDES\nfirst on disk\nlast\n', 'PROVIDES\nmine\nlast\n'],
  ['mine', 'PROVIDES\nmine\nlast\n', 'PROVIDES\nfirst on disk\nlast\n'],
] as const)(
  'of a conflict with the disk, %s is kept and the other becomes a what-if',
  async (keep, kept, left) => {
    const a = await page.open('a.scripted');
    await a.replace('first', 'mine');
    await writeFile(world.scratch.at('a.scripted'), 'PROVIDES\nfirst on disk\nlast\n');
    await page.event('buffer.state', ({ state }) => state.conflict === 'changed');
    expect(await page.request('buffer.save', { paths: ['a.scripted'] })).toEqual({
      kind: 'conflict',
      paths: ['a.scripted'],
    });
    const { disk = '', mine } = await page.request('buffer.sides', { path: 'a.scripted' });
    const judged = await page.request('future.judge', { path: 'a.scripted', text: mine });
    expect(judged.verdict).toEqual({ kind: 'clean' });
    const leave = keep === 'disk' ? (['mine'] as const) : (['disk'] as const);
    const stale = { path: 'a.scripted', keep, disk: 'something else', leave: [...leave] };
    expect(await page.request('future.resolve', stale)).toEqual({ kind: 'conflict' });
    const resolved = await page.request('future.resolve', { ...stale, disk });
    expect(resolved).toMatchObject({ kind: 'resolved', whatIfs: [expect.any(String)] });
    expect(await readFile(world.scratch.at('a.scripted'), 'utf8')).toBe(kept);
    await until(() =>
      expect(row('a.scripted as it was not saved')).toMatchObject({ group: 'yours', author: 'you' }),
    );
    const id = row('a.scripted as it was not saved')?.id ?? '';
    const { files: shown } = await page.request('whatif.show', { id });
    expect(shown[0]?.texts).toEqual({ before: kept, after: left });
    await until(() => expect(future()).toEqual({ kind: 'nothing' }));
  },
);

test('a session of another process appears, is judged, committed and undone', async () => {
  const state = join(world.home);
  await using other = await SessionProcess.open(world.scratch.workspace.root, state);
  const session = await other.create();
  await other.write(session, 'a.scripted', 'gone\nfirst\nlast\n');
  const startedAt = performance.now();
  await until(() => expect(row('Change a.scripted')).toBeDefined());
  expect(performance.now() - startedAt).toBeLessThan(5000);
  await until(() =>
    expect(row('Change a.scripted')?.status).toMatchObject({ kind: 'checked', verdict: { kind: 'broken' } }),
  );
  const ranked = await other.create();
  await other.write(ranked, 'c.scripted', 'better\n');
  await until(() => expect(row('Change c.scripted')?.status).toMatchObject({ kind: 'checked' }));
  const rank = await page.request('whatif.rank', { ids: [session.id, ranked.id] });
  expect(rank.ranked.map(({ id, reason }) => [id, reason])).toEqual([
    [ranked.id, 'no errors'],
    [session.id, '1 error'],
  ]);
  expect(await page.request('whatif.commit', { id: ranked.id })).toEqual({
    kind: 'done',
    paths: ['c.scripted'],
  });
  expect(await readFile(world.scratch.at('c.scripted'), 'utf8')).toBe('better\n');
  await until(() => expect(row('Change c.scripted')).toMatchObject({ group: 'committed', canUndo: true }));
  await page.request('whatif.undo', { id: ranked.id });
  expect(await readFile(world.scratch.at('c.scripted'), 'utf8')).toBe('plain\n');
  await page.request('whatif.discard', { ids: [session.id] });
  await until(() => expect(row('Change a.scripted')).toBeUndefined());
  await expect(other.write(session, 'a.scripted', 'x')).rejects.toMatchObject({ code: 'session/terminal' });
  const { id } = await page.request('whatif.restore', { id: session.id });
  await until(() => expect(rows().find((each) => each.id === id)).toMatchObject({ files: ['a.scripted'] }));
});

test('a what-if whose base changed says so, and is made again on the new text', async () => {
  await using other = await SessionProcess.open(world.scratch.workspace.root, world.home);
  const session = await other.create();
  await other.write(session, 'd.scripted', 'one\ntwo\nTHREE\n');
  await until(() => expect(row('Change d.scripted')?.status.kind).toBe('checked'));
  await writeFile(world.scratch.at('d.scripted'), 'ONE\ntwo\nthree\n');
  await until(() =>
    expect(row('Change d.scripted')?.status).toMatchObject({ kind: 'base-changed', paths: ['d.scripted'] }),
  );
  expect(await page.request('whatif.commit', { id: session.id })).toMatchObject({ kind: 'conflict' });
  const again = await page.request('whatif.rebase', { id: session.id });
  if (again.kind !== 'done') throw new Error('it could not be made again');
  await until(() => expect(rows().find(({ id }) => id === again.id)?.status.kind).toBe('checked'));
  const { files: shown } = await page.request('whatif.show', { id: again.id });
  expect(shown[0]?.texts?.after).toBe('ONE\ntwo\nTHREE\n');
});

test('a what-if is taken into the buffers beside what is unsaved there', async () => {
  await using other = await SessionProcess.open(world.scratch.workspace.root, world.home);
  const session = await other.create();
  await other.write(session, 'a.scripted', 'PROVIDES\nfirst\nLAST\n');
  const a = await page.open('a.scripted');
  await a.replace('PROVIDES', 'PROVIDES more');
  await until(() => expect(row('Change a.scripted')).toBeDefined());
  expect(await page.request('whatif.take', { id: session.id })).toEqual({
    kind: 'done',
    paths: ['a.scripted'],
  });
  const text = world.editor.buffers.require(world.scratch.workspace.path('a.scripted')).text.toString();
  expect(text).toBe('PROVIDES more\nfirst\nLAST\n');
  expect(await readFile(world.scratch.at('a.scripted'), 'utf8')).toBe(files['a.scripted']);
});
