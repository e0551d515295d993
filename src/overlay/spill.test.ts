import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { moveFile, Overlay } from './overlay.ts';
import { restoreOverlay, spillOverlay } from './spill.ts';

const p = workspacePath;
const base = new MemorySource({ 'a.ts': 'a', 'dir/b.ts': 'b', 'dir/c.ts': 'c' });

const content: fc.Arbitrary<FileContent> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('text' as const),
      text: fc.string({ unit: 'binary' }),
      bom: fc.constant(true),
      mode: fc.constant(0o755),
    },
    { requiredKeys: ['kind', 'text'] },
  ),
  fc.record({
    kind: fc.constant('binary' as const),
    bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  }),
  fc.record({ kind: fc.constant('symlink' as const), target: fc.string({ minLength: 1 }) }),
);

test('an overlay spilled and restored is the same overlay', async () => {
  await using scratch = await ScratchWorkspace.create();
  const entry = fc.tuple(
    fc.constantFrom('a.ts', 'dir/b.ts', 'n/n.ts'),
    fc.oneof(content, fc.constant('removed' as const)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 4 }), fc.boolean(), async (entries, moves) => {
      let overlay = Overlay.on(base).writeAll(entries.map(([path, value]) => [p(path), value]));
      if (moves) overlay = await moveFile(overlay, p('dir/c.ts'), p('moved.ts'));
      await spillOverlay(overlay, scratch.at('spill'));
      const restored = await restoreOverlay(scratch.at('spill'), base);
      expect(restored.layer()).toEqual(overlay.layer());
      expect(await restored.changes()).toEqual(await overlay.changes());
    }),
    { numRuns: 60 },
  );
});

test('a restored overlay still tells what its changes were made on', async () => {
  await using scratch = await ScratchWorkspace.create();
  const overlay = Overlay.on(base).writeText(p('a.ts'), 'edited');
  const [made] = await overlay.changes();
  await spillOverlay(overlay, scratch.at('spill'));
  const changed = new MemorySource({ 'a.ts': 'changed meanwhile' });
  const [restored] = await (await restoreOverlay(scratch.at('spill'), changed)).changes();
  expect(restored?.beforeHash).toBe(made?.beforeHash);
});

test('a spill that was not finished leaves the one before it', async () => {
  await using scratch = await ScratchWorkspace.create();
  const overlay = Overlay.on(base).writeText(p('a.ts'), 'first');
  await spillOverlay(overlay, scratch.at('spill'));
  await writeFile(scratch.at('spill/files/half-written'), 'x');
  await writeFile(scratch.at('spill/manifest.json-half'), '{');
  expect((await restoreOverlay(scratch.at('spill'), base)).layer()).toEqual(overlay.layer());
});

describe('what cannot be trusted is not restored', () => {
  test.each<[string, (directory: string) => Promise<void>]>([
    ['no manifest', (directory) => rm(join(directory, 'manifest.json'))],
    ['a cut manifest', (directory) => writeFile(join(directory, 'manifest.json'), '{"version":1')],
    [
      'another version',
      (directory) => rewrite(directory, (text) => text.replace('"version":1', '"version":9')),
    ],
    ['a path that leaves', (directory) => rewrite(directory, (text) => text.replaceAll('a.ts', '../x'))],
    ['a missing file', async (directory) => rm(await firstFile(directory))],
    ['a changed file', async (directory) => writeFile(await firstFile(directory), 'other')],
  ])('%s', async (_, damage) => {
    await using scratch = await ScratchWorkspace.create();
    await spillOverlay(Overlay.on(base).writeText(p('a.ts'), 'kept'), scratch.at('spill'));
    await damage(scratch.at('spill'));
    await expect(restoreOverlay(scratch.at('spill'), base)).rejects.toMatchObject({
      code: 'overlay/corrupt-spill',
    });
  });
});

async function rewrite(directory: string, change: (text: string) => string): Promise<void> {
  const file = join(directory, 'manifest.json');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

async function firstFile(directory: string): Promise<string> {
  const [generation = ''] = await readdir(join(directory, 'files'));
  return join(directory, 'files', generation, '0');
}
