/** What the editor does not use of a workspace that is not trusted, and uses once it is. */
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EditorWorld } from '../support/editor-world.ts';

test('programs of a workspace are named and not run before it is trusted by a page', async () => {
  const python = '#!/bin/sh\ntouch "$(dirname "$0")/../../ran"\nexec python3 "$@"\n';
  await using world = await EditorWorld.open({
    definitions: 'detect',
    files: { 'a.py': 'x: int = 1\n', '.venv/pyvenv.cfg': 'home = /usr/bin\n', '.venv/bin/python': python },
  });
  await chmod(world.scratch.at('.venv/bin/python'), 0o755);
  const page = await world.page();
  expect(page.snapshot?.trust).toEqual({ isTrusted: false, withheld: [] });
  const a = await page.open('a.py');
  await page.event('code.diagnostics', ({ diagnostics }) => diagnostics.path === 'a.py');
  const { trust } = await page.event('trust.changed', (event) => event.trust.withheld.length > 0);
  expect(trust).toEqual({ isTrusted: false, withheld: ['.venv/bin/python'] });
  expect(existsSync(world.scratch.at('ran'))).toBe(false);
  await page.request('trust.grant', {});
  await page.event('trust.changed', (event) => event.trust.isTrusted && event.trust.withheld.length === 0);
  await a.replace('int = 1', 'int = ""');
  await page.event(
    'code.diagnostics',
    ({ diagnostics }) => diagnostics.version === a.version && diagnostics.items.length > 0,
  );
  expect((await world.page()).snapshot?.trust).toEqual({ isTrusted: true, withheld: [] });
});
