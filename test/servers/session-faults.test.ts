/** What a session says when its server misbehaves in ways no real one does on demand. */
import { expect, test } from 'vitest';
import { isSafeToApply, verdictOf } from '../../src/evaluation/evaluation.ts';
import { editText, readText } from '../../src/overlay/overlay.ts';
import type { Settle } from '../../src/servers/server-definition.ts';
import type { Behaviour } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { calm, World } from '../support/world.ts';

const files = { 'a.scripted': 'one\ntwo\n', 'b.scripted': 'NEEDS(a.scripted)\n' };

async function openScripted(behaviour: Behaviour, settle?: Settle): Promise<World> {
  return World.open(files, { definitions: [scriptedDefinition(behaviour, settle)] });
}

async function breakFile(world: World) {
  const session = await world.session('scripted');
  await world.replace(session, 'a.scripted', { replace: 'two', with: 'ERROR(boom)' });
  return session;
}

const silent: readonly [string, Behaviour, Settle | undefined][] = [
  ['never answers a pull', { neverAnswers: ['textDocument/diagnostic'] }, undefined],
  ['answers a pull too late', { answerAfterMs: { 'textDocument/diagnostic': 60_000 } }, undefined],
  ['cancels every pull', { cancelsPulls: 1_000_000 }, undefined],
  ['publishes nothing', { diagnostics: 'silent' }, { mode: 'versioned-push' }],
  ['publishes nothing and has no versions', { diagnostics: 'silent' }, { mode: 'offered', quietMs: 50 }],
  ['publishes too late', { diagnostics: 'push', publishAfterMs: 60_000 }, { mode: 'versioned-push' }],
  [
    'publishes for a version that was never sent',
    { diagnostics: 'push', publishesVersionsAhead: true },
    { mode: 'versioned-push' },
  ],
  [
    'publishes without versions where they are promised',
    { diagnostics: 'push-unversioned' },
    { mode: 'versioned-push' },
  ],
];

test.concurrent.each(silent)(
  'a server that %s yields timeout and partial, never high and never clean',
  async (_, behaviour, settle) => {
    await using world = await openScripted(behaviour, settle);
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    await session.transform(
      async (overlay) => editText(overlay, path, (text) => `${text}ERROR(boom)\n`),
      calm,
    );
    const evaluation = await session.evaluate({ scope: 'file', timeoutMs: 300 }, calm);
    expect(evaluation).toMatchObject({ timedOut: true, confidence: 'partial' });
    expect(verdictOf(evaluation).kind).not.toBe('clean');
    expect(session.state.kind).toBe('evaluated');
  },
);

test('a quiet window finds the error but is never reported as proof', async () => {
  await using world = await openScripted(
    { diagnostics: 'push-unversioned' },
    { mode: 'offered', quietMs: 50 },
  );
  const session = await breakFile(world);
  const evaluation = await world.evaluate(session);
  expect(evaluation.introduced).toHaveLength(1);
  expect(evaluation.confidence).not.toBe('high');
  expect(evaluation.settle).toEqual({ mode: 'push', quietMs: 50 });
});

test('what settled by silence is never clean, and never safe to apply', async () => {
  await using world = await openScripted(
    { diagnostics: 'push-unversioned' },
    { mode: 'offered', quietMs: 50 },
  );
  const session = await world.session('scripted');
  await world.replace(session, 'a.scripted', { replace: 'two', with: 'three' });
  for (const scope of ['file', 'workspace'] as const) {
    const evaluation = await world.evaluate(session, scope);
    expect(evaluation).toMatchObject({ introduced: [], confidence: 'partial' });
    expect(verdictOf(evaluation).kind).toBe('unknown');
    expect(isSafeToApply(evaluation)).toBe(false);
  }
});

test('a server of which nothing is known is asked for diagnostics if it announces that it can be', async () => {
  await using world = await openScripted({ diagnostics: 'pull' }, { mode: 'offered', quietMs: 50 });
  const session = await breakFile(world);
  expect(await world.evaluate(session)).toMatchObject({
    netDelta: 1,
    confidence: 'high',
    settle: { mode: 'pull' },
  });
});

test('a server without versions that is asked twice about one text answers twice', async () => {
  await using world = await openScripted(
    { diagnostics: 'push-unversioned' },
    { mode: 'offered', quietMs: 50 },
  );
  const session = await breakFile(world);
  for (let round = 0; round < 3; round += 1) {
    expect(await world.evaluate(session)).toMatchObject({ netDelta: 1, timedOut: false });
  }
});

test('publications of an older version that arrive last do not count', async () => {
  await using world = await openScripted(
    { diagnostics: 'push', publishesOldVersionsLast: true },
    { mode: 'versioned-push' },
  );
  const session = await breakFile(world);
  expect(await world.evaluate(session)).toMatchObject({ confidence: 'high', netDelta: 1 });
  await world.replace(session, 'a.scripted', { replace: 'ERROR(boom)', with: 'fine' });
  expect(await world.evaluate(session)).toMatchObject({ confidence: 'high', netDelta: 0 });
});

test('a pull that was cancelled is asked again until it is answered', async () => {
  await using world = await openScripted({ cancelsPulls: 3 });
  expect(await world.evaluate(await breakFile(world))).toMatchObject({ confidence: 'high', netDelta: 1 });
});

const broken: readonly [string, Behaviour, string][] = [
  [
    'crashes mid-evaluation',
    { crashOn: { method: 'textDocument/diagnostic', nth: 2 } },
    'lsp/server-crashed',
  ],
  [
    'crashes when it is shown the edit',
    { crashOn: { method: 'textDocument/didOpen' } },
    'lsp/server-crashed',
  ],
  ['exits at initialize', { exitAtInitialize: 3 }, 'lsp/initialize-failed'],
  ['sends garbage at start', { garbageOn: 'start' }, 'lsp/protocol-garbage'],
  ['sends garbage mid-evaluation', { garbageOn: 'textDocument/diagnostic' }, 'lsp/protocol-garbage'],
];

test.each(broken)(
  'a server that %s is a named failure, and the session stays usable',
  async (_, behaviour, code) => {
    await using world = await openScripted(behaviour);
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    await session.transform(async (overlay) => editText(overlay, path, () => 'ERROR(boom)\n'), calm);
    await expect(world.evaluate(session)).rejects.toMatchObject({ code });
    expect(session.state.kind).toBe('mutated');
    expect((await readText(session.overlay, path)).text).toBe('ERROR(boom)\n');
  },
);

test('after a crash the overlay is replayed onto the next server', async () => {
  // Every server dies on its third pull; the baseline takes one, the evaluation another.
  await using world = await openScripted({ crashOn: { method: 'textDocument/diagnostic', nth: 3 } });
  const session = await breakFile(world);
  expect(await world.evaluate(session)).toMatchObject({ confidence: 'high', netDelta: 1 });
  await expect(world.evaluate(session)).rejects.toMatchObject({ code: 'lsp/server-crashed' });
  expect(await world.evaluate(session)).toMatchObject({ confidence: 'high', netDelta: 1 });
});

test('a failing edit leaves the session as it was', async () => {
  await using world = await openScripted({ exitAtInitialize: 1 });
  const session = await world.session('scripted');
  const edit = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }, newText: 'x' };
  await expect(session.edit({ path: world.workspace.path('a.scripted'), edit }, calm)).rejects.toMatchObject({
    code: 'lsp/initialize-failed',
  });
  expect(session.state.kind).toBe('created');
  expect(session.history.edits).toEqual([]);
});

test('a clean answer from a server that is still indexing is low, a broken one is not', async () => {
  const definition = {
    ...scriptedDefinition({ endlessProgress: true }),
    quirks: { readiness: 'progress' } as const,
  };
  await using world = await World.open(files, { definitions: [definition], readyTimeoutMs: 200 });
  const session = await breakFile(world);
  expect(await world.evaluate(session)).toMatchObject({ confidence: 'high', netDelta: 1 });
  await world.replace(session, 'a.scripted', { replace: 'ERROR(boom)', with: 'fine' });
  const clean = await world.evaluate(session);
  expect(clean.confidence).toBe('low');
  expect(verdictOf(clean).kind).toBe('unknown');
});

test('a caller that gives up waiting for the server changes nothing and holds nothing', async () => {
  await using world = await openScripted({ answerAfterMs: { 'textDocument/diagnostic': 400 } });
  const first = await breakFile(world);
  const second = await world.session('scripted');
  const path = world.workspace.path('a.scripted');
  await second.transform(async (overlay) => editText(overlay, path, () => 'fine\n'), calm);
  const running = world.evaluate(first);
  const giveUp = new AbortController();
  const waiting = second.evaluate({ scope: 'file' }, giveUp.signal);
  giveUp.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(second.state.kind).toBe('mutated');
  await expect(running).resolves.toMatchObject({ netDelta: 1 });
  expect(await world.evaluate(second)).toMatchObject({ netDelta: 0, confidence: 'high' });
});
