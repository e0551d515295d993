import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { liveRoots } from '../../../test/support/agent-trial.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { type Roots, type RootView, viewsOf } from './agent-root.ts';
import { anchorPath } from './path-anchor.ts';

test('a path means the root its first segment names, else the first root', async () => {
  await using app = await ScratchWorkspace.create({ 'src/a.ts': '', 'lib/inner.ts': '' });
  await using lib = await ScratchWorkspace.create({ 'b.ts': '' });
  const [first] = viewsOf(liveRoots(app.workspace));
  const [second] = viewsOf(liveRoots(lib.workspace));
  const roots: Roots<RootView> = [first, { ...second, name: 'shared' }];
  const shown = async (input: string): Promise<string> => (await anchorPath(roots, input)).shown;
  const own = basename(app.workspace.root);
  expect(await shown('src/a.ts')).toBe('src/a.ts');
  expect(await shown('./src/../src/a.ts')).toBe('src/a.ts');
  expect(await shown(`${own}/src/new.ts`)).toBe('src/new.ts');
  expect(await shown(own)).toBe('.');
  expect(await shown('shared/b.ts')).toBe('shared/b.ts');
  expect(await shown('./shared/b.ts')).toBe('shared/b.ts');
  expect(await shown(lib.at('b.ts'))).toBe('shared/b.ts');
  expect(await shown(`file://${app.at('src/a.ts')}`)).toBe('src/a.ts');
  const named: Roots<RootView> = [first, { ...second, name: 'lib' }];
  expect((await anchorPath(named, 'lib/inner.ts')).shown).toBe('lib/inner.ts');
  expect((await anchorPath(named, 'lib/inner.ts')).root).toBe(first);
  for (const outside of ['../x', 'shared/../../x', '/etc/passwd', `${own}/../../x`]) {
    await expect(anchorPath(roots, outside), outside).rejects.toMatchObject({ code: 'agent/path-outside' });
  }
});
