/** A caller's time bounds the wait for a server that is still starting, and the start goes on for the next caller. */
import { expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { calm, World } from '../support/world.ts';

const files = { 'a.scripted': 'plain\n' };

/** A world whose server never gets through its handshake. */
function stalled(): Promise<World> {
  return World.open(files, { definitions: [scriptedDefinition({ neverAnswers: ['initialize'] })] });
}

test('a session is answered in time, and nothing of it is clean', async () => {
  await using world = await stalled();
  const session = await world.session('scripted');
  const path = world.workspace.path('a.scripted');
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const edit = { range, newText: 'more ' };
  expect(await session.edit({ path, edit, timeoutMs: 50 }, calm)).toEqual({
    versionAfter: 1,
    baselineConfidence: 'partial',
  });
  const evaluation = await session.evaluate({ scope: 'file', timeoutMs: 50 }, calm);
  expect(evaluation).toMatchObject({ timedOut: true, confidence: 'partial', evaluatedFiles: [] });
  expect(verdictOf(evaluation)).toEqual({
    kind: 'unknown',
    why: [expect.stringContaining('scripted was not ready within 50 ms')],
  });
});

test('a whole patch is answered in time, and nothing of it is clean', async () => {
  await using world = await stalled();
  const overlay = world.live.emptyOverlay().writeText(world.workspace.path('a.scripted'), 'other\n');
  const check = await checkOverlay(world.live, { overlay, scope: 'workspace', timeoutMs: 50 }, calm);
  expect(check.verdict).toMatchObject({ kind: 'unknown', why: [expect.stringContaining('not ready')] });
});

test('the start goes on, and the next question finds the server', async () => {
  const definition = scriptedDefinition({ answerAfterMs: { initialize: 300 } });
  await using world = await World.open(files, { definitions: [definition] });
  const starts: unknown[] = [];
  using _heard = world.live.servers.channels.started.subscribe((replica) => starts.push(replica));
  const session = await world.session('scripted');
  const path = world.workspace.path('a.scripted');
  await session.transform(async (overlay) => overlay.writeText(path, 'ERROR(no)\n'), calm);
  const early = await session.evaluate({ scope: 'file', timeoutMs: 1 }, calm);
  expect(early).toMatchObject({ timedOut: true, introduced: [] });
  const late = await session.evaluate({ scope: 'file' }, calm);
  expect(verdictOf(late)).toMatchObject({ kind: 'broken' });
  expect(starts).toHaveLength(1);
});
