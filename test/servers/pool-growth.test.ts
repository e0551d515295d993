/** Pools of a real server that grow with their callers, and shrink again, within one memory budget. */
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { LiveWorkspace } from '../../src/live/live-workspace.ts';
import type { WorkspaceView } from '../../src/live/workspace-view.ts';
import { languageId } from '../../src/servers/language.ts';
import { Governor } from '../../src/servers/pool/governor.ts';
import { openFixture } from '../support/fixture.ts';
import { until } from '../support/until.ts';
import { calm, outline, World, type WorldOptions } from '../support/world.ts';

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'nodenext', types: [] },
  }),
  'measure.ts': 'export function length(text: string): number {\n  return text.length;\n}\n',
  'use.ts': "import { length } from './measure.js';\nexport const four: number = length('four');\n",
};

const typescript = languageId('typescript');
const generous = 1024 ** 4;

function governorWith(budgetBytes: number): Governor {
  return new Governor({ budgetBytes, log: silentLog, maxAgeMs: { lease: 0, start: 0 } });
}

function open(options: WorldOptions): Promise<World> {
  return World.open(files, options);
}

/** Every session gives the function a return type of its own, which breaks both files in words of its own. */
async function evaluateAtOnce(world: World, count: number): Promise<void> {
  const evaluations = Array.from({ length: count }, async (_, place) => {
    const session = await world.session('typescript');
    await world.replace(session, 'measure.ts', { replace: 'number', with: `'answer ${place}'` });
    const evaluation = await world.evaluate(session, 'workspace');
    await world.sessions.destroy(session.id);
    return outline(evaluation);
  });
  for (const [place, outcome] of (await Promise.all(evaluations)).entries()) {
    const type = `'"answer ${place}"'`;
    expect(outcome).toEqual({
      introduced: [
        `measure.ts:2:3 Type 'number' is not assignable to type ${type}.`,
        `use.ts:2:14 Type 'string' is not assignable to type 'number'.`,
      ],
      resolved: [],
      confidence: 'high',
    });
  }
}

/** The process ids of a workspace's servers, by what they are doing. */
function servers(live: LiveWorkspace): readonly (number | undefined)[] {
  return live.servers.pools.flatMap(({ state }) => state.servers.map(({ pid }) => pid));
}

test('eight evaluations at once grow the pool to its bound, each verdict is its own, and what is not used goes', async () => {
  await using world = await open({
    poolSize: 3,
    governor: governorWith(generous),
    idleLimits: { spareMs: 1500, lastMs: 600_000 },
  });
  for (let round = 0; servers(world.live).length < 3; round += 1) {
    expect(round).toBeLessThan(50);
    await evaluateAtOnce(world, 8);
  }
  await evaluateAtOnce(world, 8);
  expect(servers(world.live)).toHaveLength(3);
  await until(() => expect(servers(world.live)).toHaveLength(1));
  await evaluateAtOnce(world, 1);
});

test('without memory to spare one server serves everybody', async () => {
  await using world = await open({ poolSize: 3, governor: governorWith(1) });
  await evaluateAtOnce(world, 8);
  await evaluateAtOnce(world, 8);
  expect(servers(world.live)).toHaveLength(1);
  expect(await world.registry.governor.use()).toMatchObject({
    budgetBytes: 1,
    usedBytes: expect.any(Number),
  });
});

test('where memory is short, the workspace longest unused gives up its server', async () => {
  await using first = await openFixture('ts-two-modules');
  await using second = await openFixture('ts-two-modules');
  await using world = await open({ poolSize: 2, governor: governorWith(1) });
  const opened = await Promise.all([first, second].map(({ root }) => world.workspaces.open(root, calm)));
  const views = [world.view, ...opened];
  const running = () => views.map(({ live }) => servers(live).length);
  const use = async (view: WorkspaceView | undefined) => {
    await using _lease = await view?.lease(typescript, calm);
  };
  await use(views[0]);
  expect(running()).toEqual([1, 0, 0]);
  await use(views[1]);
  await until(() => expect(running()).toEqual([0, 1, 0]));
  {
    // What somebody holds stays, however short memory is.
    await using _held = await views[1]?.lease(typescript, calm);
    await use(views[2]);
    expect(running()).toEqual([0, 1, 1]);
  }
  await until(() => expect(running()).toEqual([0, 1, 0]));
  await evaluateAtOnce(world, 1);
});
