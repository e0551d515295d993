import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import { CommitHistory } from './commit-history.ts';
import { DiskState } from './disk-state.ts';

const calm = new AbortController().signal;
const careful = { durability: 'process', onConflict: 'refuse' } as const;
const forced = { durability: 'process', onConflict: 'overwrite' } as const;

async function scene(files: Readonly<Record<string, string | Uint8Array>>) {
  const scratch = await ScratchWorkspace.create(files);
  const disk = new DiskState(scratch.workspace);
  const path = (name: string) => scratch.workspace.path(name);
  return {
    scratch,
    disk,
    path,
    history: new CommitHistory(disk),
    overlay: () => Overlay.on(new Baseline(disk.source)),
    read: (name: string) => readFile(scratch.at(name), 'utf8'),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

test('every commit is told to those who watch the disk, created and deleted files included', async () => {
  await using here = await scene({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const heard: FileEvent[] = [];
  here.disk.changes.subscribe((events) => heard.push(...events));
  const overlay = (await here.overlay().rename(here.path('c.txt'), here.path('d.txt')))
    .write(here.path('new.txt'), { kind: 'text', text: 'n' })
    .write(here.path('a.txt'), { kind: 'text', text: 'A' })
    .remove(here.path('b.txt'));
  expect(await here.history.commit(overlay, careful, calm)).toMatchObject({ kind: 'committed' });
  expect(heard.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
    'changed a.txt',
    'created d.txt',
    'created new.txt',
    'deleted b.txt',
    'deleted c.txt',
  ]);
});

test('undo restores bytes, the byte order mark, links and modes', async () => {
  const bytes = new Uint8Array([0, 255, 1]);
  await using here = await scene({
    'text.txt': '\uFEFFone\r\n',
    'image.bin': bytes,
    'run.sh': '#!/bin/sh\n',
  });
  await chmod(here.scratch.at('run.sh'), 0o755);
  await symlink('text.txt', here.scratch.at('link'));
  const overlay = (await here.overlay().editText(here.path('text.txt'), () => 'two'))
    .remove(here.path('image.bin'))
    .remove(here.path('run.sh'));
  await here.history.commit(overlay, careful, calm);
  expect(await here.read('link')).toBe('\uFEFFtwo');
  expect(await here.history.undo(calm)).toMatchObject({ kind: 'committed' });
  expect(await here.read('text.txt')).toBe('\uFEFFone\r\n');
  expect(new Uint8Array(await readFile(here.scratch.at('image.bin')))).toEqual(bytes);
  expect((await stat(here.scratch.at('run.sh'))).mode & 0o777).toBe(0o755);
});

test('undo of a forced commit restores what it overwrote, not what it was made on', async () => {
  await using here = await scene({ 'a.txt': 'first' });
  const overlay = await here.overlay().editText(here.path('a.txt'), () => 'mine');
  await writeFile(here.scratch.at('a.txt'), 'theirs');
  expect((await here.history.commit(overlay, careful, calm)).kind).toBe('conflict');
  expect((await here.history.undo(calm)).kind).toBe('nothing');
  await here.history.commit(overlay, forced, calm);
  await here.history.undo(calm);
  expect(await here.read('a.txt')).toBe('theirs');
});

test('a commit is undone once, the last first, and none over a later change', async () => {
  await using here = await scene({ 'a.txt': '0', 'b.txt': '0' });
  for (const text of ['1', '2']) {
    const overlay = await here.overlay().editText(here.path('a.txt'), () => text);
    await here.history.commit(overlay, careful, calm);
  }
  await writeFile(here.scratch.at('a.txt'), 'other');
  expect(await here.history.undo(calm)).toEqual({ kind: 'conflict', paths: ['a.txt'] });
  await writeFile(here.scratch.at('a.txt'), '2');
  await here.history.undo(calm);
  expect(await here.read('a.txt')).toBe('1');
  await here.history.undo(calm);
  expect(await here.read('a.txt')).toBe('0');
  expect(await here.history.undo(calm)).toEqual({ kind: 'nothing' });
});

test('whatever a commit does, undoing it leaves every file as it was', async () => {
  const name = fc.constantFrom('a.txt', 'b.txt', 'dir/c.txt', 'dir/d.txt', 'e.txt');
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), at: name, text: fc.string() }),
    fc.record({ kind: fc.constant('remove' as const), at: name }),
    fc.record({ kind: fc.constant('rename' as const), at: name, to: name }),
  );
  const files = { 'a.txt': 'a', 'b.txt': 'b\r\n', 'dir/c.txt': '\uFEFFc' };
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 6 }), async (operations) => {
      await using here = await scene(files);
      let overlay = here.overlay();
      for (const each of operations) {
        const path = here.path(each.at);
        if (each.kind === 'write') overlay = overlay.write(path, { kind: 'text', text: each.text });
        else if ((await overlay.read(path)) === undefined) continue;
        else if (each.kind === 'remove') overlay = overlay.remove(path);
        else overlay = await overlay.rename(path, here.path(each.to));
      }
      const changes = await overlay.changes();
      await here.history.commit(overlay, careful, calm);
      const outcome = await here.history.undo(calm);
      expect(outcome.kind).toBe(changes.length === 0 ? 'nothing' : 'committed');
      const left = await readdir(here.scratch.workspace.root, { recursive: true, withFileTypes: true });
      expect(
        left
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name)
          .sort(),
      ).toEqual(
        Object.keys(files)
          .map((path) => path.split('/').at(-1))
          .sort(),
      );
      for (const [path, text] of Object.entries(files)) expect(await here.read(path)).toBe(text);
    }),
    { numRuns: 40 },
  );
});
