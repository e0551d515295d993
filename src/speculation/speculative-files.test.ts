import { rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { SpeculativeFiles } from './speculative-files.ts';

const files = { 'a.ts': 'a', 'b.ts': 'b', 'dir/c.ts': 'c' };
const at = workspacePath;

function live(source: FileSource = new MemorySource(files)): Overlay {
  return Overlay.on(new Baseline(source));
}

async function stale(
  speculative: SpeculativeFiles,
  now: Readonly<Record<string, string>>,
  after: Overlay = speculative.start,
): Promise<readonly string[]> {
  return speculative.stale(new MemorySource(now), after);
}

test('what was not looked at may change', async () => {
  const speculative = SpeculativeFiles.on(live());
  await speculative.start.read(at('a.ts'));
  expect(await stale(speculative, { ...files, 'b.ts': 'other' })).toEqual([]);
});

describe('a change is noticed', () => {
  test.each([
    [
      'to a file that was read',
      async (view: Overlay) => void (await view.read(at('a.ts'))),
      { ...files, 'a.ts': 'x' },
    ],
    [
      'that takes a read file away',
      async (view: Overlay) => void (await view.read(at('a.ts'))),
      { 'b.ts': 'b' },
    ],
    [
      'that puts a file where none was found',
      async (view: Overlay) => void (await view.read(at('new.ts'))),
      { ...files, 'new.ts': '' },
    ],
    [
      'to the names in a directory that was listed',
      async (view: Overlay) => void (await view.list(at('dir'))),
      { ...files, 'dir/d.ts': '' },
    ],
  ])('%s', async (_name, look, now) => {
    const speculative = SpeculativeFiles.on(live());
    await look(speculative.start);
    expect(await stale(speculative, now)).toHaveLength(1);
    expect(await stale(speculative, files)).toEqual([]);
  });

  test('to a file that was overwritten unread, once it is frozen', async () => {
    const speculative = SpeculativeFiles.on(live());
    const after = speculative.start.writeText(at('b.ts'), 'mine');
    await speculative.freeze(after);
    expect(await stale(speculative, { ...files, 'b.ts': 'theirs' }, after)).toEqual(['b.ts']);
  });
});

describe('once it has looked at nobody knows what', () => {
  const trees = async (): Promise<{
    readonly scratch: ScratchWorkspace;
    readonly disk: FileSource;
    readonly speculative: SpeculativeFiles;
  }> => {
    const scratch = await ScratchWorkspace.create({ ...files, 'node_modules/m/index.js': 'm' });
    const disk = new DiskSource(scratch.workspace);
    return { scratch, disk, speculative: SpeculativeFiles.on(live(disk)) };
  };

  test.each([
    ['a file that is changed', 'b.ts', 'other', ['b.ts']],
    ['a file that is new', 'dir/new.ts', 'new', ['dir/new.ts']],
    ['a file that is written again', 'b.ts', 'b', ['b.ts']],
    ['a file in a directory of dependencies', 'node_modules/m/index.js', 'x', []],
  ])('%s counts unless it is ignored, however often one asks', async (_name, path, text, expected) => {
    const { scratch, disk, speculative } = await trees();
    await using _gone = scratch;
    await speculative.rememberTree(scratch.workspace);
    expect(await speculative.stale(disk, speculative.start)).toEqual([]);
    await writeFile(scratch.at('aside'), text);
    await rename(scratch.at('aside'), scratch.at(path));
    expect(await speculative.stale(disk, speculative.start)).toEqual(expected);
    expect(await speculative.stale(disk, speculative.start)).toEqual(expected);
  });

  test('what happened before does not count', async () => {
    const { scratch, disk, speculative } = await trees();
    await using _gone = scratch;
    await writeFile(scratch.at('b.ts'), 'earlier');
    await speculative.rememberTree(scratch.workspace);
    expect(await speculative.stale(disk, speculative.start)).toEqual([]);
  });

  test('what it was stacked on may become real, and nothing else may take its place', async () => {
    const { scratch, disk, speculative: first } = await trees();
    await using _gone = scratch;
    const made = first.start.writeText(at('a.ts'), 'a2').writeText(at('dir/new.ts'), 'n').remove(at('b.ts'));
    const second = first.stacked(made);
    await second.rememberTree(scratch.workspace);
    await writeFile(scratch.at('a.ts'), 'a2');
    await writeFile(scratch.at('dir/new.ts'), 'n');
    await rm(scratch.at('b.ts'));
    expect(await second.stale(disk, second.start)).toEqual([]);
    await writeFile(scratch.at('a.ts'), 'theirs');
    expect(await second.stale(disk, second.start)).toEqual(['a.ts']);
  });
});

describe('stacked on another', () => {
  test('it sees what the first made, and commits its own changes alone', async () => {
    const first = SpeculativeFiles.on(live());
    const made = first.start.writeText(at('a.ts'), 'a2').writeText(at('dir/new.ts'), 'n');
    const second = first.stacked(made);
    expect(await second.start.read(at('a.ts'))).toEqual({ kind: 'text', text: 'a2' });
    const after = second.start.writeText(at('a.ts'), 'a3').remove(at('dir/new.ts'));
    const changes = await second.changed(after).changes('stack');
    expect(changes.map(({ path, kind, before }) => [path, kind, before])).toEqual([
      ['a.ts', 'modified', { kind: 'text', text: 'a2' }],
      ['dir/new.ts', 'deleted', { kind: 'text', text: 'n' }],
    ]);
  });

  test('what it looks at is not held against the first', async () => {
    const first = SpeculativeFiles.on(live());
    const second = first.stacked(first.start.writeText(at('a.ts'), 'a2'));
    await second.start.read(at('b.ts'));
    expect(await stale(first, { ...files, 'b.ts': 'x' })).toEqual([]);
    expect(await stale(second, { ...files, 'a.ts': 'a2', 'b.ts': 'x' })).toEqual(['b.ts']);
  });

  test('what the first made is no change to it, once it is real', async () => {
    const first = SpeculativeFiles.on(live());
    const made = first.start.writeText(at('a.ts'), 'a2').writeText(at('dir/new.ts'), 'n');
    const second = first.stacked(made);
    await second.start.read(at('a.ts'));
    await second.start.list(at('dir'));
    await second.start.read(at('b.ts'));
    expect(await stale(second, { ...files, 'a.ts': 'a2', 'dir/new.ts': 'n' })).toEqual([]);
    expect(await stale(second, files)).toEqual(['dir']);
  });

  test('unsaved changes beneath are seen and are no change of the speculation', async () => {
    const unsaved = live().writeText(at('b.ts'), 'unsaved');
    const speculative = SpeculativeFiles.on(unsaved);
    expect(await speculative.start.read(at('b.ts'))).toEqual({ kind: 'text', text: 'unsaved' });
    const after = speculative.start.writeText(at('a.ts'), 'x');
    const changes = await speculative.changed(after).changes('stack');
    expect(changes.map(({ path }) => path)).toEqual(['a.ts']);
  });
});
