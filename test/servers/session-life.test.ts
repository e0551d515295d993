/** The life of a session: states, chains, commits, survival of a restart. One scripted server suffices. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { readText } from '../../src/overlay/overlay.ts';
import type { Session } from '../../src/session/session.ts';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { calm, outline, World } from '../support/world.ts';

const files = {
  'a.scripted': 'PROVIDES\nfirst\nERROR(old)\n',
  'b.scripted': 'NEEDS(a.scripted)\n',
  'crlf.scripted': 'one\r\ntwo\r\n',
  'deep/c.scripted': 'plain',
};
const options = { definitions: [scriptedDefinition({})], archive: 'kept' } as const;

let world: World;
beforeAll(async () => {
  world = await World.open(files, options);
});
afterAll(() => world[Symbol.asyncDispose]());

const toPatch = { destination: { kind: 'patch' }, patchFormat: 'unified' } as const;
const toDisk = { destination: { kind: 'disk', onConflict: 'refuse' }, patchFormat: 'unified' } as const;

function edit(session: Session, replace: string, to: string, path = 'a.scripted'): Promise<void> {
  return world.replace(session, path, { replace, with: to });
}

describe('states', () => {
  test('a created session evaluates to an empty diff', async () => {
    const session = await world.session('scripted');
    expect(await world.evaluate(session, 'workspace')).toMatchObject({
      netDelta: 0,
      introduced: [],
      resolved: [],
    });
    expect(session.state.kind).toBe('evaluated');
  });

  const ended: readonly [string, (session: Session) => Promise<unknown>][] = [
    ['committed', (session) => session.commit(toPatch, calm)],
    ['discarded', (session) => session.discard(calm)],
  ];
  test.each(ended)('a %s session allows nothing but destroy', async (state, end) => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'second');
    await end(session);
    expect(session.state.kind).toBe(state);
    const path = world.workspace.path('a.scripted');
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    await expect(session.edit({ path, edit: { range, newText: 'x' } }, calm)).rejects.toMatchObject({
      code: 'session/terminal',
    });
    await expect(world.evaluate(session)).rejects.toMatchObject({ code: 'session/not-evaluable' });
    await expect(session.commit(toPatch, calm)).rejects.toMatchObject({ code: 'session/not-committable' });
    await expect(session.discard(calm)).rejects.toMatchObject({ code: 'session/terminal' });
    expect(await world.sessions.destroy(session.id)).toBe('destroyed');
    expect(await world.sessions.destroy(session.id)).toBe('already_destroyed');
    expect(() => world.sessions.find(session.id)).toThrow(`session not found: ${session.id}`);
  });

  test('a session without edits cannot be committed', async () => {
    const session = await world.session('scripted');
    await expect(session.commit(toPatch, calm)).rejects.toThrow(
      `session ${session.id} cannot be committed in state created`,
    );
  });
});

describe('edits', () => {
  test('versions count the edits of each file, and only the first edit of a file takes its baseline', async () => {
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });
    expect(await session.edit({ path, edit: { range: at(1), newText: 'x' } }, calm)).toEqual({
      versionAfter: 1,
      baselineConfidence: 'high',
    });
    expect(await session.edit({ path, edit: { range: at(1), newText: 'y' } }, calm)).toEqual({
      versionAfter: 2,
    });
  });

  test('a column past the end of its line clamps; a line past the end of the file fails and changes nothing', async () => {
    const session = await world.session('scripted');
    const path = world.workspace.path('crlf.scripted');
    const end = { line: 0, character: 999 };
    await session.edit({ path, edit: { range: { start: end, end }, newText: '!' } }, calm);
    expect((await readText(session.overlay, path)).text).toBe('one!\r\ntwo\r\n');
    const far = { line: 99, character: 0 };
    await expect(
      session.edit({ path, edit: { range: { start: far, end: far }, newText: '!' } }, calm),
    ).rejects.toMatchObject({
      code: 'text/line-out-of-range',
    });
    expect(session.history.edits).toHaveLength(1);
  });

  test('what only moved is neither introduced nor resolved', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'zero\nfirst\nthird');
    expect(outline(await world.evaluate(session))).toEqual({
      introduced: [],
      resolved: [],
      confidence: 'high',
    });
  });

  test('introduced errors stand where they are now, resolved ones where they were', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first\nERROR(old)', 'zero\nfirst\nERROR(new)');
    expect(outline(await world.evaluate(session))).toEqual({
      introduced: ['a.scripted:4:1 new'],
      resolved: ['a.scripted:3:1 old'],
      confidence: 'high',
    });
  });

  test('file scope sees the edited file, workspace scope also the one that depends on it', async () => {
    const session = await world.session('scripted');
    await edit(session, 'PROVIDES', 'WITHHOLDS');
    expect(outline(await world.evaluate(session, 'file')).introduced).toEqual([]);
    const whole = await world.evaluate(session, 'workspace');
    expect(whole.dependentsNotChecked).toBeUndefined();
    const again = await world.evaluate(session, 'file');
    expect(again.dependentsNotChecked).toBe(whole.evaluatedFiles.length - 1);
    expect(whole.introduced.map(({ path }) => path)).toEqual(['b.scripted']);
    expect(whole.evaluatedFiles).toContain('deep/c.scripted');
  });
});

describe('files that the server does not read', () => {
  test.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    ['prose alone', { 'notes.md': 'x' }, 'clean', []],
    ['data alone', { 'settings.toml': 'a = 1' }, 'unknown', []],
    ['valid JSON alone', { 'data.json': '{}' }, 'unknown', []],
    ['a program in another language alone', { 'main.py': 'x' }, 'unknown', []],
    ['a program in another language beside', { 'main.py': 'x', 'new.scripted': 'x' }, 'unknown', []],
    ['data beside an evaluated file', { 'settings.toml': 'a = 1', 'new.scripted': 'x' }, 'clean', []],
    ['JSON cut in half', { 'data.json': '{"name":', 'new.scripted': 'x' }, 'broken', ['data.json']],
  ])('%s', async (_case, written, verdict, places) => {
    const session = await world.session('scripted');
    const entries = Object.entries(written);
    await session.transform(
      async (overlay) =>
        entries.reduce((next, [path, text]) => next.writeText(world.workspace.path(path), text), overlay),
      calm,
    );
    const evaluation = await world.evaluate(session);
    expect(verdictOf(evaluation).kind).toBe(verdict);
    expect(evaluation.introduced.map(({ path }) => path)).toEqual(places);
    expect(evaluation.errorsDelta).toBe(places.length);
    expect(evaluation.doubts.length > 0).toBe(verdict === 'unknown');
  });
});

describe('chains', () => {
  test('each step is measured against the start, and the safe steps are named', async () => {
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    const line = (number: number, newText: string) => ({
      path,
      edit: {
        range: { start: { line: number, character: 0 }, end: { line: number, character: 999 } },
        newText,
      },
    });
    const chain = await session.chain(
      [line(1, 'fine'), line(1, 'ERROR(one)'), line(2, 'ERROR(two)'), line(1, 'fine again')],
      { timeoutMs: 30_000 },
      calm,
    );
    // The last step trades the old error for a new one: its sum is even, and still it breaks something.
    expect(chain.steps.map(({ netDelta }) => netDelta)).toEqual([0, 1, 1, 0]);
    expect(chain.steps.map(({ evaluation }) => verdictOf(evaluation).kind)).toEqual([
      'clean',
      'broken',
      'broken',
      'broken',
    ]);
    expect(chain).toMatchObject({ safeToApplyThroughStep: 1, safePrefixThroughStep: 1, cumulativeDelta: 0 });
    expect(session.state.kind).toBe('evaluated');
  });

  test('a step is measured in the whole workspace', async () => {
    const session = await world.session('scripted');
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 999 } };
    const edit = { path: world.workspace.path('a.scripted'), edit: { range, newText: 'WITHHOLDS' } };
    const chain = await session.chain([edit], { timeoutMs: 30_000 }, calm);
    expect(chain.steps[0]?.introduced.map(({ path }) => path)).toEqual(['b.scripted']);
    expect(chain.safeToApplyThroughStep).toBe(0);
  });

  test('a step that fails is named and leaves the earlier ones in place', async () => {
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });
    const edits = [
      { path, edit: { range: at(0), newText: 'x' } },
      { path, edit: { range: at(99), newText: 'y' } },
    ];
    await expect(session.chain(edits, {}, calm)).rejects.toThrow(/^applying edit at step 2: /);
    expect(session.history.edits).toHaveLength(1);
  });
});

test('a workspace that one call names does not become the current one', async () => {
  await using other = await World.open({ 'a.scripted': 'x' }, options);
  await world.workspaces.use(other.root, calm);
  expect(world.workspaces.active?.workspace.root).toBe(world.root);
  const outside = world.workspaces.forFile('/nowhere/a.scripted', calm);
  await expect(outside).rejects.toMatchObject({
    remedy: expect.stringMatching(/open the workspace.*add its directory/),
  });
});

describe('commits', () => {
  test('a patch is handed over without touching the disk', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'second');
    const { patch, filesWritten } = await session.commit(toPatch, calm);
    expect(filesWritten).toBe(0);
    expect(patch).toContain('-first\n+second');
    expect(await world.read('a.scripted')).toBe(files['a.scripted']);
  });

  test('the workspace edit is minimal, contents are whole', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'fist');
    const uri = world.workspace.uri(world.workspace.path('a.scripted'));
    const { patch } = await session.commit({ ...toPatch, patchFormat: 'workspace_edit' }, calm);
    expect(patch).toEqual({
      changes: {
        [uri]: [{ range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } }, newText: '' }],
      },
    });
    const again = await world.session('scripted');
    await edit(again, 'first', 'fist');
    const contents = await again.commit({ ...toPatch, patchFormat: 'contents' }, calm);
    expect(contents.patch).toEqual({ [uri]: 'PROVIDES\nfist\nERROR(old)\n' });
  });

  test('the disk is written once, with line endings kept, and servers see it', async () => {
    await using own = await World.open(files, options);
    const session = await own.session('scripted');
    await own.replace(session, 'crlf.scripted', { replace: 'two', with: 'ERROR(kept)' });
    expect((await session.commit(toDisk, calm)).filesWritten).toBe(1);
    expect(await own.read('crlf.scripted')).toBe('one\r\nERROR(kept)\r\n');
    const next = await own.session('scripted');
    await own.replace(next, 'crlf.scripted', { replace: 'ERROR(kept)', with: 'mended' });
    expect(await own.evaluate(next)).toMatchObject({ netDelta: -1, confidence: 'high' });
  });

  test('a file changed since it was read is a conflict: nothing is written, and force overwrites', async () => {
    await using own = await World.open(files, options);
    const session = await own.session('scripted');
    await own.replace(session, 'a.scripted', { replace: 'first', with: 'second' });
    await own.replace(session, 'deep/c.scripted', { replace: 'plain', with: 'fancy' });
    await own.write('a.scripted', 'somebody else\n');
    await expect(session.commit(toDisk, calm)).rejects.toMatchObject({
      code: 'session/conflict',
      paths: ['a.scripted'],
    });
    expect(await own.read('deep/c.scripted')).toBe('plain');
    expect(session.state.kind).toBe('mutated');
    const forced = { ...toDisk, destination: { kind: 'disk', onConflict: 'overwrite' } } as const;
    expect((await session.commit(forced, calm)).filesWritten).toBe(2);
    expect(await own.read('a.scripted')).toBe('PROVIDES\nsecond\nERROR(old)\n');
  });

  test('another directory receives the resulting files, the workspace stays as it is', async () => {
    const target = await mkdtemp(join(tmpdir(), 'forerun-target-'));
    const session = await world.session('scripted');
    await edit(session, 'plain', 'fancy', 'deep/c.scripted');
    const destination = { kind: 'directory', path: target, onConflict: 'refuse' } as const;
    expect((await session.commit({ destination, patchFormat: 'unified' }, calm)).filesWritten).toBe(1);
    expect(await readFile(join(target, 'deep/c.scripted'), 'utf8')).toBe('fancy');
    expect(await world.read('deep/c.scripted')).toBe('plain');
    await rm(target, { recursive: true });
  });
});

describe('restart', () => {
  test('a session comes back with its edits, its log and its verdict', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'ERROR(new)');
    const expected = outline(await world.evaluate(session));
    await using later = await World.open({}, { ...options, root: world.root });
    expect(await later.sessions.list()).toContainEqual(
      expect.objectContaining({ id: session.id, isResumable: true, edits: 1, files: ['a.scripted'] }),
    );
    const resumed = await later.sessions.resume(session.id, calm);
    expect(resumed.history.edits).toEqual(session.history.edits);
    expect(outline(await later.evaluate(resumed))).toEqual(expected);
  });

  test('a session whose file changed while nobody ran is a conflict at commit', async () => {
    await using own = await World.open(files, options);
    const session = await own.session('scripted');
    await own.replace(session, 'a.scripted', { replace: 'first', with: 'second' });
    await own.write('a.scripted', 'somebody else\n');
    await using later = await World.open({}, { ...options, root: own.root });
    const resumed = await later.sessions.resume(session.id, calm);
    await expect(resumed.commit(toDisk, calm)).rejects.toMatchObject({ code: 'session/conflict' });
  });

  test('a session whose edits cannot be read back is dirty: nothing but destroy, never committed', async () => {
    const session = await world.session('scripted');
    await edit(session, 'first', 'second');
    await writeFile(
      join(`${world.root}-sessions`, workspaceKey(world.root), session.id, 'overlay/manifest.json'),
      'garbage',
    );
    await using later = await World.open({}, { ...options, root: world.root });
    const resumed = await later.sessions.resume(session.id, calm);
    expect(resumed.state.kind).toBe('dirty');
    for (const call of [
      () => later.evaluate(resumed),
      () => resumed.commit(toDisk, calm),
      () => resumed.discard(calm),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'session/dirty' });
    }
    expect(await later.sessions.destroy(session.id)).toBe('destroyed');
  });
});

test('sessions are ranked: clean before broken, fewer errors first', async () => {
  const attempt = async (to: string) => {
    const session = await world.session('scripted');
    await edit(session, 'first', to);
    return session.id;
  };
  const worst = await attempt('ERROR(a) and\nERROR(b)');
  const best = await attempt('fine');
  const middle = await attempt('ERROR(a)');
  const ranked = await world.sessions.compare(
    [worst, best, middle],
    { scope: 'file', timeoutMs: 30_000 },
    calm,
  );
  expect(ranked.map(({ id, rank, verdict }) => [id, rank, verdict.kind])).toEqual([
    [best, 1, 'clean'],
    [middle, 2, 'broken'],
    [worst, 3, 'broken'],
  ]);
});

test('comparing measures again what was edited, what the disk has left behind and what another scope asks for', async () => {
  const one = await world.session('scripted');
  const other = await world.session('scripted');
  await edit(one, 'first', 'fine');
  await edit(other, 'first', 'fine too');
  const compare = async (scope: 'file' | 'workspace' = 'file') => {
    const ranked = await world.sessions.compare([one.id, other.id], { scope, timeoutMs: 30_000 }, calm);
    return new Map(ranked.map(({ id, evaluation }) => [id, evaluation]));
  };
  const first = await compare();
  const again = await compare();
  expect(again.get(one.id)).toBe(first.get(one.id));
  expect(again.get(other.id)).toBe(first.get(other.id));
  await edit(other, 'fine', 'ERROR(late)');
  const edited = await compare();
  expect(edited.get(one.id)).toBe(first.get(one.id));
  expect(edited.get(other.id)?.introduced).toHaveLength(1);
  await world.write('deep/c.scripted', 'moved on');
  const moved = await compare();
  expect(moved.get(one.id)).not.toBe(first.get(one.id));
  expect((await compare('workspace')).get(one.id)).toMatchObject({ scope: 'workspace' });
});

test('a session untouched for too long is destroyed, and too many are refused', async () => {
  const { Sessions } = await import('../../src/session/sessions.ts');
  const { silentLog } = await import('../../src/base/log.ts');
  const brief = new Sessions({ workspaces: world.workspaces, log: silentLog, idleMs: -1, maxSessions: 1 });
  const request = { live: world.live, language: (await world.session('scripted')).language };
  const first = await brief.create(request, calm);
  await brief.create(request, calm);
  expect(() => brief.find(first.id)).toThrow('session not found');
  const few = new Sessions({ workspaces: world.workspaces, log: silentLog, maxSessions: 1 });
  await few.create(request, calm);
  await expect(few.create(request, calm)).rejects.toMatchObject({ code: 'session/too-many' });
});
