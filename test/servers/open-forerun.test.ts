/** The library: one workspace inside another program. */
import { expect, test } from 'vitest';
import { openForerun } from '../../src/host/open-forerun.ts';
import { editText } from '../../src/overlay/overlay.ts';
import { NoServerForFile } from '../../src/servers/server-register.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { calm } from '../support/world.ts';

const sources = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true } }\n',
  'src/area.ts': 'export const area = (side: number): number => side * side;\n',
  'src/use.ts': "import { area } from './area';\n\nexport const four: number = area(2);\n",
  'notes.md': '# Notes\n',
};

test('a session that names no file is judged by the server of the main language', async () => {
  await using scratch = await ScratchWorkspace.create(sources);
  await using forerun = await openForerun({ root: scratch.workspace.root });
  const session = await forerun.session();
  const area = scratch.workspace.path('src/area.ts');
  await session.transform(
    (overlay) => editText(overlay, area, (text) => text.replace('side: number)', 'side: string)')),
    calm,
  );
  const { introduced } = await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, calm);
  expect(introduced.map(({ path }) => path)).toContain('src/use.ts');
});

test('a workspace without a language that any server knows has no such session', async () => {
  await using scratch = await ScratchWorkspace.create({ 'data.unknown': 'x' });
  await using forerun = await openForerun({ root: scratch.workspace.root });
  await expect(forerun.session()).rejects.toThrow(NoServerForFile);
});
