/** One pool, whatever its size: who gets a server, and when. */
import { expect, test, vi } from 'vitest';
import { languageId } from '../../src/servers/language.ts';
import type { FileEvent } from '../../src/workspace/watcher.ts';
import type { Behaviour } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { calm, World } from '../support/world.ts';

const files = { 'a.scripted': 'plain\n' };

function open(behaviour: Behaviour, poolSize: number): Promise<World> {
  return World.open(files, { definitions: [scriptedDefinition(behaviour)], poolSize });
}

/** Evaluates `count` sessions at once, each with an error of its own, and says what each was told. */
async function evaluateAtOnce(world: World, count: number): Promise<readonly string[]> {
  const evaluations = Array.from({ length: count }, async (_, place) => {
    const session = await world.session('scripted');
    await world.replace(session, 'a.scripted', { replace: 'plain', with: `ERROR(number ${place})` });
    return world.evaluate(session);
  });
  return (await Promise.all(evaluations)).flatMap(({ introduced }) =>
    introduced.map(({ diagnostic }) => diagnostic.message),
  );
}

test.each([1, 2, 3])('eight sessions on a pool of %i each get their own answer', async (size) => {
  await using world = await open({ answerAfterMs: { 'textDocument/diagnostic': 20 } }, size);
  expect(await evaluateAtOnce(world, 8)).toEqual(Array.from({ length: 8 }, (_, place) => `number ${place}`));
});

test.each([1, 2, 3])(
  'a pool of %i lends as many servers at once, and makes the next caller wait',
  async (size) => {
    await using world = await open({}, size);
    const lend = () => world.executor.leaseBuffers(languageId('scripted'), calm);
    const lent = await Promise.all(Array.from({ length: size }, lend));
    const [pool] = world.executor.pools;
    expect(new Set(lent.map(({ server }) => server.pid)).size).toBe(size);
    expect(pool?.replicas).toHaveLength(size);
    const late = lend();
    await vi.waitFor(() => expect(pool?.waiting).toBe(1));
    await lent[0]?.[Symbol.asyncDispose]();
    const served = await late;
    expect(served.server.pid).toBe(lent[0]?.server.pid);
    for (const lease of [...lent.slice(1), served]) await lease[Symbol.asyncDispose]();
  },
);

test('a pool grows only when somebody waits', async () => {
  await using world = await open({}, 3);
  for (let round = 0; round < 3; round += 1) await evaluateAtOnce(world, 1);
  expect(world.executor.pools[0]?.replicas).toHaveLength(1);
});

test('a start that fails is told to the one who waited, and the next one tries again', async () => {
  await using world = await open({ exitAtInitialize: 4 }, 1);
  const session = await world.session('scripted');
  const path = world.workspace.path('a.scripted');
  await session.transform((overlay) => overlay.editText(path, () => 'other\n'), calm);
  const both = await Promise.allSettled([world.evaluate(session), world.evaluate(session)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('when changes on disk were missed, every server is replaced', async () => {
  await using world = await open({}, 1);
  await evaluateAtOnce(world, 1);
  const before = world.executor.pools[0]?.replicas[0]?.server.pid;
  const lost: readonly FileEvent[] = [];
  world.executor.disk.report(lost);
  expect(await evaluateAtOnce(world, 1)).toEqual(['number 0']);
  expect(world.executor.pools[0]?.replicas[0]?.server.pid).not.toBe(before);
});
