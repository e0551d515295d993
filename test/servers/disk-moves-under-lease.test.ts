/** What a server says of its projects is kept for the disk that it was sent, and for no other. */
import { expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { languageId } from '../../src/servers/language.ts';
import { noEffect } from '../../src/servers/projection.ts';
import { calm, outline, World } from '../support/world.ts';

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] },
  }),
  'limit.ts': 'export const limit: number = 1;\n',
  'other.ts': 'export const other = 1;\n',
};

const late = "import { limit } from './limit';\nexport const late: number = limit;\n";

test('a file that another program creates while the projects are listed is judged afterwards', async () => {
  await using world = await World.open(files);
  const { live } = world;
  await verdictOn(world, { replace: 'limit', with: 'more' });
  const asked = { language: languageId('typescript'), scope: 'workspace' } as const;
  const plan = await live.servers.planProjection(live.emptyOverlay(), asked, calm);
  {
    await using lease = await live.servers.lease({ ...plan, effect: noEffect }, calm);
    await world.write('late.ts', late);
    await live.syncWithDisk(calm);
    await lease.projects?.current(calm);
  }
  expect(await verdictOn(world, { replace: 'number', with: '/* a comment */ number' })).toEqual([
    'clean',
    [],
  ]);
  expect(await verdictOn(world, { replace: 'number = 1', with: "string = 'a'" })).toEqual([
    'broken',
    ["late.ts:2:14 Type 'string' is not assignable to type 'number'."],
  ]);
});

async function verdictOn(world: World, change: { replace: string; with: string }) {
  const session = await world.session('typescript');
  await world.replace(session, 'limit.ts', change);
  const evaluation = await world.evaluate(session, 'workspace');
  await session.discard(calm);
  return [verdictOf(evaluation).kind, outline(evaluation).introduced];
}
