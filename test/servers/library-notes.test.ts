/** What is known of missing libraries is of the files on disk, also of those that change while a server is asked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { calm, World } from '../support/world.ts';

const files = {
  'lib.py': 'import yaml\n\ndecoder = yaml\n',
  'user.py': 'import lib\n\nfound = lib\n',
};

test('a library that a file begins to miss while it is asked about is missed from then on', async () => {
  await using world = await World.open(files);
  expect(await verdictOn(world)).toBe('clean');
  await world.write('lib.py', `${files['lib.py']}# asked again\n`);
  const lib = world.workspace.path('lib.py');
  using _subscription = world.live.servers.channels.diskDiagnostics.subscribe((answers) => {
    if (!answers.some(({ path }) => path === lib)) return;
    writeFileSync(join(world.root, lib), 'import nowhere_at_all\n\ndecoder = nowhere_at_all\n');
    world.live.disk.report([{ path: lib, kind: 'changed' }]);
  });
  await verdictOn(world);
  expect(await verdictOn(world)).toBe('unknown');
});

async function verdictOn(world: World): Promise<string> {
  const session = await world.session('python');
  await world.replace(session, 'user.py', { replace: 'found = lib', with: 'found = lib.decoder' });
  const evaluation = await world.evaluate(session, 'workspace');
  await session.discard(calm);
  return verdictOf(evaluation).kind;
}
