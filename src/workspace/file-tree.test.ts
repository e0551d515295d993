import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { errnoOf } from '../base/errno.ts';
import { FileTree } from './file-tree.ts';
import { listFiles } from './file-walk.ts';
import type { WorkspacePath } from './workspace-path.ts';

const never = new AbortController().signal;

/** Few names, so that files, directories and renames collide. */
const places = fc.constantFrom('a', 'b', 'a/c', 'a/d', 'b/c', 'a/c/e', 'b/c/e', 'f.ts', 'a/f.ts', 'a/c/f.ts');

const strokes = fc.oneof(
  fc.record({ act: fc.constant('write' as const), at: places, text: fc.constantFrom('1', '2', '') }),
  fc.record({ act: fc.constant('remove' as const), at: places }),
  fc.record({ act: fc.constant('rename' as const), at: places, to: places }),
);

type Stroke = typeof strokes extends fc.Arbitrary<infer T> ? T : never;

/** The paths the system would report: the touched entries, and nothing below them. */
function touched(stroke: Stroke): readonly string[] {
  return stroke.act === 'rename' ? [stroke.at, stroke.to] : [stroke.at];
}

function carryOut(stroke: Stroke, at: (path: string) => string): void {
  try {
    if (stroke.act === 'write') {
      mkdirSync(dirname(at(stroke.at)), { recursive: true });
      writeFileSync(at(stroke.at), stroke.text);
    } else if (stroke.act === 'remove') rmSync(at(stroke.at), { recursive: true, force: true });
    else renameSync(at(stroke.at), at(stroke.to));
  } catch (thrown) {
    // A file in the way of a directory, or similar: nothing has changed.
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}

test.each(['told where', 'told nothing'] as const)(
  'what is told adds up to what is there, %s to look',
  async (how) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(strokes, { maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
        await using scratch = await ScratchWorkspace.create({ 'a/c/f.ts': '', 'f.ts': '' });
        const { workspace } = scratch;
        const watched = new Set<WorkspacePath>();
        const tree = new FileTree(workspace, {
          entered: (directory) => void watched.add(directory),
          left: (directory) => void watched.delete(directory),
        });
        await tree.list();
        const known = new Set<string>(await listFiles(workspace, {}, never));
        for (const round of rounds) {
          for (const stroke of round) carryOut(stroke, (path) => scratch.at(path));
          const hints = round.flatMap(touched).map((path) => workspace.path(path));
          const events = how === 'told where' ? await tree.scan(hints) : await tree.rescan();
          for (const { path, kind } of events) {
            expect([path, kind, known.has(path)]).toEqual([path, kind, kind !== 'created']);
            if (kind === 'deleted') known.delete(path);
            else known.add(path);
          }
          const listed = await listFiles(workspace, {}, never);
          expect([...known].sort()).toEqual([...listed]);
          const directories = listed.map((path) => workspace.path(dirname(path)));
          for (const directory of directories) expect(watched).toContain(directory);
        }
      }),
      { numRuns: 60 },
    );
  },
);

test('links are known from the first listing, and as they come, change and go', async () => {
  await using scratch = await ScratchWorkspace.create({ 'real/a.ts': '', 'deep/b.ts': '' });
  symlinkSync('real', scratch.at('listed'));
  const tree = new FileTree(scratch.workspace, { entered: () => {}, left: () => {} });
  await tree.list();
  const look = async (path: string) => {
    await tree.scan([scratch.workspace.path(path)]);
    const isTrue = [...tree.links].every((link) => lstatSync(scratch.at(link)).isSymbolicLink());
    expect(isTrue).toBe(true);
    return [...tree.links].sort();
  };
  expect(await look('real')).toEqual(['listed']);
  symlinkSync('../real/a.ts', scratch.at('deep/link.ts'));
  expect(await look('deep/link.ts')).toEqual(['deep/link.ts', 'listed']);
  rmSync(scratch.at('listed'));
  writeFileSync(scratch.at('listed'), '');
  expect(await look('listed')).toEqual(['deep/link.ts']);
  rmSync(scratch.at('deep'), { recursive: true });
  expect(await look('deep')).toEqual([]);
});

test('a file rewritten with as many bytes within one tick of the clock has changed', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.ts': '0' });
  const tree = new FileTree(scratch.workspace, { entered: () => {}, left: () => {} });
  await tree.list();
  await tree.rescan();
  for (let round = 1; round < 10; round++) {
    writeFileSync(scratch.at('a.ts'), `${round}`);
    expect(await tree.rescan()).toEqual([{ path: 'a.ts', kind: 'changed' }]);
    expect(await tree.rescan()).toEqual([]);
  }
});
