import { writeFileSync } from 'node:fs';
import { chmod, link, lstat, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { testState } from '../../../test/support/commit-state.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { describeTree } from '../../../test/support/tree-hash.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { editText, moveFile, Overlay } from '../overlay.ts';
import { commitOverlay, type JournalPlace, type OverlayCommitOptions, writeContents } from './commit.ts';

const never = new AbortController().signal;
const careful: OverlayCommitOptions & JournalPlace = {
  durability: 'process',
  onConflict: 'refuse',
  ...testState,
};

const files = { 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/c.txt': 'c' };

function overlayOn(scratch: ScratchWorkspace): Overlay {
  return Overlay.on(new Baseline(new DiskSource(scratch.workspace)));
}

const path = (scratch: ScratchWorkspace, relative: string) => scratch.workspace.path(relative);

describe('a commit', () => {
  test('brings every layer of the stack to the disk and leaves nothing else', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const lower = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'lower');
    const upper = await moveFile(Overlay.on(lower), path(scratch, 'dir'), path(scratch, 'moved'));
    const outcome = await commitOverlay(scratch.workspace, upper, careful, never);
    expect(outcome).toEqual({
      kind: 'committed',
      written: ['a.txt', 'dir/b.txt', 'dir/c.txt', 'moved/b.txt', 'moved/c.txt'],
      warnings: [],
    });
    expect((await describeTree(scratch.workspace.root)).map((line) => line.split(' ')[0])).toEqual([
      'a.txt',
      'moved/',
      'moved/b.txt',
      'moved/c.txt',
    ]);
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('lower');
  });

  test('of nothing does nothing', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'a');
    expect(await commitOverlay(scratch.workspace, overlay, careful, never)).toMatchObject({ written: [] });
  });

  test('works beside a .git directory and leaves it as it was', async () => {
    await using scratch = await ScratchWorkspace.create({ ...files, '.git/HEAD': 'ref' });
    const seen: string[] = [];
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new');
    const onStep = () => void seen.push('step');
    await commitOverlay(scratch.workspace, overlay, { ...careful, onStep }, never);
    expect((await describeTree(scratch.at('.git'))).length).toBe(1);
    expect(seen.length).toBeGreaterThan(0);
  });

  test('keeps the mode, and sets one that the content names', async () => {
    await using scratch = await ScratchWorkspace.create({ run: 'x', plain: 'y' });
    await chmod(scratch.at('run'), 0o750);
    const overlay = overlayOn(scratch)
      .writeText(path(scratch, 'run'), 'changed')
      .write(path(scratch, 'plain'), { kind: 'text', text: 'y', mode: 0o755 });
    await commitOverlay(scratch.workspace, overlay, careful, never);
    expect((await stat(scratch.at('run'))).mode & 0o777).toBe(0o750);
    expect((await stat(scratch.at('plain'))).mode & 0o777).toBe(0o755);
  });

  test('keeps line ends, a byte order mark and a missing last newline', async () => {
    await using scratch = await ScratchWorkspace.create({ 'w.txt': '\uFEFFone\r\ntwo\nthree' });
    const overlay = await editText(overlayOn(scratch), path(scratch, 'w.txt'), (text) =>
      text.replace('two', '2'),
    );
    await commitOverlay(scratch.workspace, overlay, { ...careful, durability: 'power' }, never);
    expect(await readFile(scratch.at('w.txt'), 'utf8')).toBe('\uFEFFone\r\n2\nthree');
  });

  test('keeps directories that still hold something', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = overlayOn(scratch).remove(path(scratch, 'dir/b.txt'));
    await commitOverlay(scratch.workspace, overlay, careful, never);
    expect(await readFile(scratch.at('dir/c.txt'), 'utf8')).toBe('c');
  });

  test('warns of other hard links, which keep the old content', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await link(scratch.at('a.txt'), scratch.at('other'));
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new');
    expect(await commitOverlay(scratch.workspace, overlay, careful, never)).toMatchObject({
      warnings: [expect.stringContaining('hard links')],
    });
    expect(await readFile(scratch.at('other'), 'utf8')).toBe('a');
  });

  test('that is aborted changes nothing', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const before = await describeTree(scratch.workspace.root);
    const controller = new AbortController();
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new').remove(path(scratch, 'dir'));
    const onStep = (step: string) => {
      if (step === 'stage') controller.abort(new Error('enough'));
    };
    const committing = commitOverlay(scratch.workspace, overlay, { ...careful, onStep }, controller.signal);
    await expect(committing).rejects.toThrow('enough');
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
  });

  test('that fails halfway is undone', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const before = await describeTree(scratch.workspace.root);
    const overlay = overlayOn(scratch)
      .writeText(path(scratch, 'a.txt'), 'new')
      .writeText(path(scratch, 'n/new.txt'), 'new')
      .remove(path(scratch, 'dir'));
    const onStep = (step: string) => {
      if (step === 'create') throw new Error('no space left');
    };
    const committing = commitOverlay(scratch.workspace, overlay, { ...careful, onStep }, never);
    await expect(committing).rejects.toMatchObject({ code: 'overlay/commit-failed' });
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
  });

  test('waits for another of the same workspace', async () => {
    await using scratch = await ScratchWorkspace.create();
    const names = Array.from({ length: 8 }, (_, index) => `file-${index}`);
    const outcomes = await Promise.all(
      names.map((name) =>
        commitOverlay(
          scratch.workspace,
          overlayOn(scratch).writeText(path(scratch, name), name),
          careful,
          never,
        ),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(names.map(() => 'committed'));
    expect((await describeTree(scratch.workspace.root)).length).toBe(names.length);
  });
});

describe('a conflict', () => {
  const cases: [
    string,
    (overlay: Overlay, scratch: ScratchWorkspace) => Overlay,
    (scratch: ScratchWorkspace) => Promise<void>,
  ][] = [
    [
      'is a file edited since its baseline',
      (overlay, scratch) => overlay.writeText(path(scratch, 'a.txt'), 'mine'),
      (scratch) => writeFile(scratch.at('a.txt'), 'theirs'),
    ],
    [
      'is a file deleted since its baseline',
      (overlay, scratch) => overlay.writeText(path(scratch, 'a.txt'), 'mine'),
      (scratch) => rm(scratch.at('a.txt')),
    ],
    [
      'is a file that appeared where one is created',
      (overlay, scratch) => overlay.writeText(path(scratch, 'new.txt'), 'mine'),
      (scratch) => writeFile(scratch.at('new.txt'), 'theirs'),
    ],
    [
      'is an edit to a file that is deleted',
      (overlay, scratch) => overlay.remove(path(scratch, 'a.txt')),
      (scratch) => writeFile(scratch.at('a.txt'), 'theirs'),
    ],
    [
      'is a file where a directory is needed',
      (overlay, scratch) => overlay.writeText(path(scratch, 'x/new.txt'), 'mine'),
      (scratch) => writeFile(scratch.at('x'), 'theirs'),
    ],
  ];

  test.each(cases)('%s', async (_, make, interfere) => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = make(overlayOn(scratch), scratch).writeText(path(scratch, 'dir/b.txt'), 'mine too');
    await overlay.changes();
    await interfere(scratch);
    const before = await describeTree(scratch.workspace.root);
    const outcome = await commitOverlay(scratch.workspace, overlay, careful, never);
    expect(outcome).toMatchObject({ kind: 'conflict', paths: [expect.any(String)] });
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
  });

  test.each(cases.slice(0, 4))('that %s is overwritten when told to', async (_, make, interfere) => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = make(overlayOn(scratch), scratch);
    await overlay.changes();
    await interfere(scratch);
    const options = { ...careful, onConflict: 'overwrite' } as const;
    expect(await commitOverlay(scratch.workspace, overlay, options, never)).toMatchObject({
      kind: 'committed',
    });
  });

  test('at the last moment undoes what was done', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = overlayOn(scratch)
      .writeText(path(scratch, 'a.txt'), 'mine')
      .writeText(path(scratch, 'n/new.txt'), 'mine');
    const onStep = (step: string) => {
      if (step === 'create') writeFileSync(scratch.at('n/new.txt'), 'theirs', { flag: 'wx' });
    };
    const outcome = await commitOverlay(scratch.workspace, overlay, { ...careful, onStep }, never);
    expect(outcome).toEqual({ kind: 'conflict', paths: ['n/new.txt'] });
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('a');
    expect(await readFile(scratch.at('n/new.txt'), 'utf8')).toBe('theirs');
  });

  test('is none when the disk already holds what is wanted', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'same');
    await overlay.changes();
    await writeFile(scratch.at('a.txt'), 'same');
    expect(await commitOverlay(scratch.workspace, overlay, careful, never)).toMatchObject({
      kind: 'committed',
    });
  });
});

describe('links', () => {
  test('to a file inside are written through and survive', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink('a.txt', scratch.at('link'));
    const overlay = await editText(overlayOn(scratch), path(scratch, 'link'), () => 'through');
    await commitOverlay(scratch.workspace, overlay, careful, never);
    expect(await readlink(scratch.at('link'))).toBe('a.txt');
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('through');
  });

  test('are deleted and renamed themselves, not what they point at', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink('a.txt', scratch.at('gone'));
    await symlink('a.txt', scratch.at('moved'));
    const renamed = await moveFile(overlayOn(scratch), path(scratch, 'moved'), path(scratch, 'dir/there'));
    await commitOverlay(scratch.workspace, renamed.remove(path(scratch, 'gone')), careful, never);
    expect(await readlink(scratch.at('dir/there'))).toBe('../a.txt');
    expect(await readFile(scratch.at('dir/there'), 'utf8')).toBe('a');
    await expect(lstat(scratch.at('gone'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that lead a path out of the workspace are refused', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink(tmpdir(), scratch.at('out'));
    const overlay = overlayOn(scratch).writeText(path(scratch, 'out/x.txt'), 'x');
    await expect(commitOverlay(scratch.workspace, overlay, careful, never)).rejects.toMatchObject({
      code: 'workspace/outside',
    });
  });

  test('that make two names of one file are refused when both are written', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink('dir', scratch.at('alias'));
    const overlay = overlayOn(scratch)
      .writeText(path(scratch, 'alias/b.txt'), '1')
      .writeText(path(scratch, 'dir/b.txt'), '2');
    await expect(commitOverlay(scratch.workspace, overlay, careful, never)).rejects.toMatchObject({
      code: 'overlay/aliased-paths',
    });
  });
});

describe('writing into another directory', () => {
  test('puts the changed files at the same relative paths', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await using other = await ScratchWorkspace.create();
    const renamed = await moveFile(
      overlayOn(scratch),
      path(scratch, 'dir/b.txt'),
      path(scratch, 'new/b.txt'),
    );
    const overlay = renamed.writeText(path(scratch, 'a.txt'), 'new');
    const outcome = await writeContents(other.at('target'), overlay, careful, never);
    expect(outcome).toMatchObject({ kind: 'committed' });
    expect(await readFile(other.at('target/a.txt'), 'utf8')).toBe('new');
    expect(await readFile(other.at('target/new/b.txt'), 'utf8')).toBe('b');
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('a');
  });

  test('refuses to replace what is neither old nor new', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await using other = await ScratchWorkspace.create({ 'a.txt': 'something else' });
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new');
    expect(await writeContents(other.workspace.root, overlay, careful, never)).toEqual({
      kind: 'conflict',
      paths: ['a.txt'],
    });
  });

  test.each(['.git/hooks', 'sub/.GIT/x'])(
    'is refused where that directory belongs to git: %s',
    async (directory) => {
      await using scratch = await ScratchWorkspace.create({ ...files, '.git/HEAD': 'ref' });
      const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new');
      await expect(writeContents(scratch.at(directory), overlay, careful, never)).rejects.toMatchObject({
        code: 'overlay/protected-path',
      });
    },
  );

  test('is refused where a link has taken the place of that directory', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await using outside = await ScratchWorkspace.create();
    await symlink(outside.workspace.root, scratch.at('target'));
    const overlay = overlayOn(scratch).writeText(path(scratch, 'a.txt'), 'new');
    await expect(writeContents(scratch.at('target'), overlay, careful, never)).rejects.toMatchObject({
      code: 'workspace/outside',
    });
    expect(await describeTree(outside.workspace.root)).toEqual([]);
  });
});
