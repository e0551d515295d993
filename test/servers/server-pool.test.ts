/** One pool, whatever its size: who gets a server, and when. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { editText } from '../../src/overlay/overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import type { FileEvent } from '../../src/workspace/file-event.ts';
import { type Behaviour, scriptedRequests } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
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

test.each([1, 2, 3])(
  'eight sessions on a pool of %i each get their own answer (invariant 1)',
  async (size) => {
    await using world = await open({ answerAfterMs: { 'textDocument/diagnostic': 20 } }, size);
    expect(await evaluateAtOnce(world, 8)).toEqual(
      Array.from({ length: 8 }, (_, place) => `number ${place}`),
    );
  },
);

test.each([1, 2, 3])(
  'a pool of %i lends as many servers at once, and makes the next caller wait (invariants 1 and 6)',
  async (size) => {
    await using world = await open({}, size);
    const lend = () => world.view.lease(languageId('scripted'), calm);
    const lent = await Promise.all(Array.from({ length: size }, lend));
    const [pool] = world.live.servers.pools;
    expect(new Set(lent.map(({ server }) => server.pid)).size).toBe(size);
    expect(pool?.replicas).toHaveLength(size);
    const late = lend();
    await until(() => expect(pool?.waiting).toBe(1));
    await lent[0]?.[Symbol.asyncDispose]();
    const served = await late;
    expect(served.server.pid).toBe(lent[0]?.server.pid);
    for (const lease of [...lent.slice(1), served]) await lease[Symbol.asyncDispose]();
  },
);

test('a pool grows only when a caller waits (invariant 6)', async () => {
  await using world = await open({}, 3);
  for (let round = 0; round < 3; round += 1) await evaluateAtOnce(world, 1);
  expect(world.live.servers.pools[0]?.replicas).toHaveLength(1);
});

test.each(['before', 'after'])(
  'a server made ready %s a caller comes serves that caller, and no second one starts (invariant 6)',
  async (when) => {
    await using world = await open({}, 3);
    const { live } = world;
    const located = await live.servers.locate(languageId('scripted'), calm);
    const ready = () => live.servers.makeReady(located, calm);
    const use = () => evaluateAtOnce(world, 1);
    await Promise.all(when === 'before' ? [ready(), use()] : [use(), ready()]);
    await Promise.all([use(), ready()]);
    expect(live.servers.pools[0]?.replicas).toHaveLength(1);
  },
);

test('a start that fails fails the first waiter, and the next one tries again (invariant 2)', async () => {
  await using world = await open({ exitAtInitialize: 4 }, 1);
  const session = await world.session('scripted');
  const path = world.workspace.path('a.scripted');
  await session.transform((overlay) => editText(overlay, path, () => 'other\n'), calm);
  const both = await Promise.allSettled([world.evaluate(session), world.evaluate(session)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a pool that is disposed refuses a caller at once (invariant 8)', async () => {
  await using world = await open({}, 1);
  await evaluateAtOnce(world, 1);
  const [pool] = world.live.servers.pools;
  await pool?.[Symbol.asyncDispose]();
  await expect(pool?.acquire(calm)).rejects.toThrow('was shut down');
});

test('when changes on disk were missed, every server is replaced', async () => {
  await using world = await open({}, 1);
  await evaluateAtOnce(world, 1);
  const before = world.live.servers.pools[0]?.replicas[0]?.server.pid;
  const lost: readonly FileEvent[] = [];
  world.live.disk.report(lost);
  expect(await evaluateAtOnce(world, 1)).toEqual(['number 0']);
  expect(world.live.servers.pools[0]?.replicas[0]?.server.pid).not.toBe(before);
});

test('what changes on disk while a server starts is sent to it before it is used (invariant 5)', async () => {
  await using world = await open({ answerAfterMs: { initialize: 300 } }, 1);
  const lease = world.view.lease(languageId('scripted'), calm);
  await until(() => expect(world.live.servers.pools[0]?.state.starting).toBe(1));
  await world.write('b.scripted', 'new\n');
  world.live.disk.report([{ path: world.workspace.path('b.scripted'), kind: 'created' }]);
  await using lent = await lease;
  const method = 'workspace/didChangeWatchedFiles';
  const uri = lent.uri(world.workspace.path('b.scripted'));
  expect(await lent.server.request(scriptedRequests.lastParams, { method }, {}, calm)).toEqual({
    changes: expect.arrayContaining([{ uri, type: 1 }]),
  });
});

test('a server that the pool attends is waited for, not doubled (invariant 6)', async () => {
  await using world = await open({}, 3);
  for (let round = 0; round < 3; round += 1) {
    await evaluateAtOnce(world, 1);
    // The overlay of the round is laid off meanwhile, in whatever moment of it the next round comes.
    await until(() => expect(world.live.servers.pools[0]?.replicas[0]?.showsOverlay).toBe(false));
  }
  expect(world.live.servers.pools[0]?.replicas).toHaveLength(1);
});

describe('a server that is not used', () => {
  const pids = (world: World) => world.live.servers.pools.flatMap(({ state }) => state.servers);

  test('is ended, down to the last one, and started again when somebody comes', async () => {
    await using world = await World.open(files, {
      definitions: [scriptedDefinition({ answerAfterMs: { 'textDocument/diagnostic': 20 } })],
      poolSize: 3,
      idleLimits: { spareMs: 150, lastMs: 1_000_000 },
    });
    const lend = () => world.view.lease(languageId('scripted'), calm);
    const lent = await Promise.all([lend(), lend(), lend()]);
    expect(pids(world)).toHaveLength(3);
    const last = lent[1]?.server.pid;
    for (const lease of [lent[0], lent[2], lent[1]]) await lease?.[Symbol.asyncDispose]();
    await until(() => expect(pids(world)).toMatchObject([{ pid: last, state: 'idle' }]));
    expect(await evaluateAtOnce(world, 1)).toEqual(['number 0']);
  });

  test('is ended even when it is the last, after its own time', async () => {
    await using world = await World.open(files, {
      definitions: [scriptedDefinition({})],
      idleLimits: { spareMs: 10, lastMs: 20 },
    });
    expect(await evaluateAtOnce(world, 1)).toEqual(['number 0']);
    await until(() => expect(pids(world)).toEqual([]));
    // Whoever asks all servers of the workspace still has this one among them.
    expect(world.live.servers.pools[0]?.served?.definition.name).toBe('scripted');
    expect(await evaluateAtOnce(world, 1)).toEqual(['number 0']);
  });

  test('is never ended while it is held (invariant 7)', async () => {
    await using world = await World.open(files, {
      definitions: [scriptedDefinition({})],
      poolSize: 2,
      idleLimits: { spareMs: 1, lastMs: 1 },
    });
    const lend = () => world.view.lease(languageId('scripted'), calm);
    await using held = await lend();
    for (let round = 0; round < 2; round += 1) {
      await using _other = await lend();
      expect(held.server.isRunning).toBe(true);
    }
    await until(() => expect(pids(world)).toMatchObject([{ pid: held.server.pid, state: 'busy' }]));
  });
});

describe('a server that crashes again and again', () => {
  /** What evaluations of one session came to, one after another. */
  async function outcomes(world: World, count: number): Promise<readonly string[]> {
    const session = await world.session('scripted');
    const path = world.workspace.path('a.scripted');
    await session.transform((overlay) => editText(overlay, path, () => 'other\n'), calm);
    const codes: string[] = [];
    for (let round = 0; round < count; round += 1) {
      codes.push(
        await world.evaluate(session).then(
          () => 'answered',
          (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
        ),
      );
    }
    return codes;
  }

  const crashing: readonly [string, Behaviour, readonly string[]][] = [
    [
      'at its work',
      { crashOn: { method: 'textDocument/diagnostic' } },
      ['lsp/server-crashed', 'lsp/server-crashed', 'lsp/server-crashed', 'servers/crashes-repeatedly'],
    ],
    [
      'at its start',
      { exitAtInitialize: 3 },
      ['lsp/initialize-failed', 'lsp/initialize-failed', 'servers/crashes-repeatedly'],
    ],
  ];

  test.each(crashing)(
    '%s is replaced a few times, then refused until it is restarted (invariant 3)',
    async (_, behaviour, expected) => {
      await using world = await open(behaviour, 1);
      expect(await outcomes(world, expected.length)).toEqual(expected);
      await world.live.servers.restart(undefined);
      expect(await outcomes(world, 1)).toEqual(expected.slice(0, 1));
    },
  );

  test('fails all waiters with its last output (invariant 2)', async () => {
    await using world = await open({ exitAtInitialize: 3 }, 2);
    const lend = () => world.view.lease(languageId('scripted'), calm);
    const refused = await Promise.allSettled([lend(), lend(), lend(), lend(), lend()]);
    expect(refused.slice(2)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({
          reason: expect.objectContaining({
            code: 'servers/crashes-repeatedly',
            message: expect.stringContaining('cannot start today'),
          }),
        }),
      ),
    );
  });

  test('does not keep a caller waiting that has given up (invariant 2)', async () => {
    await using world = await open({ exitAtInitialize: 3 }, 1);
    expect(await outcomes(world, 2)).toEqual(['lsp/initialize-failed', 'lsp/initialize-failed']);
    const impatient = new AbortController();
    const lease = world.view.lease(languageId('scripted'), impatient.signal);
    await until(() => expect(world.live.servers.pools[0]?.state).toMatchObject({ waiting: 1, starting: 1 }));
    impatient.abort(new Error('no time'));
    await expect(lease).rejects.toThrow('no time');
  });
});
