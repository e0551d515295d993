import { chmod, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testState } from '../../test/support/commit-state.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { editText, moveFile, Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { DiskState } from '../workspace/disk-state.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { CommitHistory } from './commit-history.ts';

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
    history: new CommitHistory(disk, testState.stateDirectory),
    overlay: () => Overlay.on(new Baseline(disk.source)),
    read: (name: string) => readFile(scratch.at(name), 'utf8'),
    bits: async (name: string) => (await stat(scratch.at(name))).mode & 0o7777,
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

test('every commit is told to those who watch the disk, created and deleted files included', async () => {
  await using here = await scene({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const received: FileEvent[] = [];
  here.disk.changes.subscribe((events) => received.push(...events));
  const overlay = (await moveFile(here.overlay(), here.path('c.txt'), here.path('d.txt')))
    .write(here.path('new.txt'), { kind: 'text', text: 'n' })
    .write(here.path('a.txt'), { kind: 'text', text: 'A' })
    .remove(here.path('b.txt'));
  expect(await here.history.commit(overlay, careful, calm)).toMatchObject({ kind: 'committed' });
  expect(received.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
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
  const overlay = (await editText(here.overlay(), here.path('text.txt'), () => 'two'))
    .remove(here.path('image.bin'))
    .remove(here.path('run.sh'));
  await here.history.commit(overlay, careful, calm);
  expect(await here.read('link')).toBe('\uFEFFtwo');
  expect(await here.history.undo(calm)).toMatchObject({ kind: 'committed' });
  expect(await here.read('text.txt')).toBe('\uFEFFone\r\n');
  expect(new Uint8Array(await readFile(here.scratch.at('image.bin')))).toEqual(bytes);
  expect(await here.bits('run.sh')).toBe(0o755);
});

describe('undo gives a file the mode that the commit found', () => {
  const plain = { kind: 'text', text: '#!/bin/sh\n' } as const;
  const cases: readonly {
    readonly title: string;
    readonly found: number;
    readonly commit: (
      overlay: Overlay,
      path: WorkspacePath,
      other: WorkspacePath,
    ) => Overlay | Promise<Overlay>;
  }[] = [
    {
      title: 'made executable',
      found: 0o644,
      commit: (on, path) => on.write(path, { ...plain, mode: 0o755 }),
    },
    {
      title: 'made executable and rewritten',
      found: 0o664,
      commit: (on, path) => on.write(path, { ...plain, text: 'exit 1\n', mode: 0o755 }),
    },
    {
      title: 'no longer executable',
      found: 0o755,
      commit: (on, path) => on.write(path, { ...plain, mode: 0o644 }),
    },
    {
      title: 'closed to others',
      found: 0o640,
      commit: (on, path) => on.write(path, { ...plain, mode: 0o600 }),
    },
    { title: 'rewritten', found: 0o755, commit: (on, path) => editText(on, path, () => 'exit 1\n') },
    { title: 'removed', found: 0o664, commit: (on, path) => on.remove(path) },
    { title: 'renamed', found: 0o775, commit: (on, path, other) => moveFile(on, path, other) },
    {
      title: 'renamed and made executable',
      found: 0o664,
      commit: async (on, path, other) =>
        (await moveFile(on, path, other)).write(other, { ...plain, mode: 0o755 }),
    },
  ];
  test.each(cases)('$title', async ({ found, commit }) => {
    await using here = await scene({ 'run.sh': plain.text });
    await chmod(here.scratch.at('run.sh'), found);
    const overlay = await commit(here.overlay(), here.path('run.sh'), here.path('other.sh'));
    expect((await here.history.commit(overlay, careful, calm)).kind).toBe('committed');
    expect(await here.history.undo(calm)).toMatchObject({ kind: 'committed' });
    expect(await here.read('run.sh')).toBe(plain.text);
    expect((await here.bits('run.sh')).toString(8)).toBe(found.toString(8));
  });

  test('but not over bits that were set after a commit that left them alone', async () => {
    await using here = await scene({ 'run.sh': plain.text });
    await chmod(here.scratch.at('run.sh'), 0o755);
    const overlay = await editText(here.overlay(), here.path('run.sh'), () => 'exit 1\n');
    await here.history.commit(overlay, careful, calm);
    await chmod(here.scratch.at('run.sh'), 0o700);
    await here.history.undo(calm);
    expect((await here.bits('run.sh')).toString(8)).toBe('700');
  });
});

test('a link that a commit removed or moved is a link again after undo', async () => {
  await using here = await scene({ 'text.txt': 'one' });
  for (const link of ['gone', 'moved']) await symlink('text.txt', here.scratch.at(link));
  const overlay = await moveFile(
    here.overlay().remove(here.path('gone')),
    here.path('moved'),
    here.path('dir/there'),
  );
  await here.history.commit(overlay, careful, calm);
  expect(await here.history.undo(calm)).toMatchObject({ kind: 'committed' });
  for (const link of ['gone', 'moved']) expect(await readlink(here.scratch.at(link))).toBe('text.txt');
});

test('undo of a forced commit restores what it overwrote, not what it was made on', async () => {
  await using here = await scene({ 'a.txt': 'first' });
  const overlay = await editText(here.overlay(), here.path('a.txt'), () => 'mine');
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
    const overlay = await editText(here.overlay(), here.path('a.txt'), () => text);
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
    fc.record({
      kind: fc.constant('write' as const),
      at: name,
      text: fc.oneof(fc.constant('a'), fc.string()),
      mode: fc.constantFrom({}, { mode: 0o644 }, { mode: 0o755 }, { mode: 0o600 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), at: name }),
    fc.record({ kind: fc.constant('rename' as const), at: name, to: name }),
  );
  const files = { 'a.txt': 'a', 'b.txt': 'b\r\n', 'dir/c.txt': '\uFEFFc' };
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 6 }), async (operations) => {
      await using here = await scene(files);
      await chmod(here.scratch.at('b.txt'), 0o664);
      await chmod(here.scratch.at('dir/c.txt'), 0o755);
      let overlay = here.overlay();
      for (const each of operations) {
        const path = here.path(each.at);
        if (each.kind === 'write')
          overlay = overlay.write(path, { kind: 'text', text: each.text, ...each.mode });
        else if ((await overlay.read(path)) === undefined) continue;
        else if (each.kind === 'remove') overlay = overlay.remove(path);
        else overlay = await moveFile(overlay, path, here.path(each.to));
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
      expect(await Promise.all([here.bits('b.txt'), here.bits('dir/c.txt')])).toEqual([0o664, 0o755]);
    }),
    { numRuns: 40 },
  );
});
