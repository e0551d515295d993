/** Commits in the presence of links, hard links, special modes and other processes. */
import { existsSync, readdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { chmod, link, lstat, readFile, readlink, rename, stat, symlink, unlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { testState } from '../../../test/support/commit-state.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { describeTree } from '../../../test/support/tree-hash.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { moveFile, Overlay } from '../overlay.ts';
import { type CommitOutcome, commitOverlay, type OverlayCommitOptions } from './commit.ts';

const never = new AbortController().signal;

function overlayOn(scratch: ScratchWorkspace): Overlay {
  return Overlay.on(new Baseline(new DiskSource(scratch.workspace)));
}

function commit(
  { workspace }: ScratchWorkspace,
  overlay: Overlay,
  options: Partial<OverlayCommitOptions> = {},
): Promise<CommitOutcome> {
  const all = { durability: 'process', onConflict: 'refuse', ...testState, ...options } as const;
  return commitOverlay(workspace, overlay, all, never);
}

describe('a file and a directory change places:', () => {
  const files = { 'real/inside.txt': 'inside', 'file.txt': 'file', 'full/one.txt': '1', 'full/two.txt': '2' };

  test.each([
    ['a link to a directory', 'real'],
    ['a link to a file', 'file.txt'],
    ['a link that leads out', '/etc'],
    ['a link that leads nowhere', 'nowhere/at/all'],
  ])('%s is replaced by a directory, and what it led to stays', async (_name, target) => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink(target, scratch.at('a'));
    const at = (path: string) => scratch.workspace.path(path);
    const overlay = overlayOn(scratch)
      .remove(at('a'))
      .write(at('a/inside.txt'), { kind: 'text', text: 'new' })
      .write(at('a/deep/b.txt'), { kind: 'text', text: 'b' });
    expect(await commit(scratch, overlay)).toMatchObject({ kind: 'committed', warnings: [] });
    expect((await lstat(scratch.at('a'))).isDirectory()).toBe(true);
    expect(await readFile(scratch.at('a/inside.txt'), 'utf8')).toBe('new');
    expect(await readFile(scratch.at('a/deep/b.txt'), 'utf8')).toBe('b');
    expect(await readFile(scratch.at('real/inside.txt'), 'utf8')).toBe('inside');
  });

  test('such a replacement is rolled back as a whole', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink('real', scratch.at('a'));
    const before = await describeTree(scratch.workspace.root);
    const at = (path: string) => scratch.workspace.path(path);
    const overlay = overlayOn(scratch).remove(at('a')).write(at('a/b.txt'), { kind: 'text', text: 'b' });
    const onStep = (step: string) => {
      if (step === 'commit') throw new Error('no space left');
    };
    await expect(commit(scratch, overlay, { onStep })).rejects.toMatchObject({
      code: 'overlay/commit-failed',
    });
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
    expect(await readlink(scratch.at('a'))).toBe('real');
  });

  test('a directory is replaced by a file and by a link', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const at = (path: string) => scratch.workspace.path(path);
    const overlay = overlayOn(scratch)
      .write(at('full'), { kind: 'text', text: 'a file now' })
      .write(at('real'), { kind: 'symlink', target: 'full' });
    expect(await commit(scratch, overlay)).toMatchObject({ kind: 'committed' });
    expect(await readFile(scratch.at('full'), 'utf8')).toBe('a file now');
    expect(await readlink(scratch.at('real'))).toBe('full');
  });

  test('a file is replaced by a directory', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const at = (path: string) => scratch.workspace.path(path);
    const overlay = overlayOn(scratch)
      .remove(at('file.txt'))
      .write(at('file.txt/below.txt'), { kind: 'text', text: 'below' });
    expect(await commit(scratch, overlay)).toMatchObject({ kind: 'committed' });
    expect(await readFile(scratch.at('file.txt/below.txt'), 'utf8')).toBe('below');
  });

  test('files are still written through a link to a directory that stays', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    await symlink('real', scratch.at('a'));
    const overlay = overlayOn(scratch)
      .writeText(scratch.workspace.path('a/inside.txt'), 'through')
      .writeText(scratch.workspace.path('a/new/deep.txt'), 'new');
    expect(await commit(scratch, overlay)).toMatchObject({
      kind: 'committed',
      written: ['a/inside.txt', 'a/new/deep.txt'],
    });
    expect(await readlink(scratch.at('a'))).toBe('real');
    expect(await readFile(scratch.at('real/inside.txt'), 'utf8')).toBe('through');
    expect(await readFile(scratch.at('real/new/deep.txt'), 'utf8')).toBe('new');
  });
});

describe('a set-user-ID, set-group-ID or sticky bit', () => {
  test.each([0o4755, 0o2755, 0o6777, 0o1644])('of a replaced file is not carried over: %o', async (mode) => {
    await using scratch = await ScratchWorkspace.create({ tool: 'old' });
    await chmod(scratch.at('tool'), mode);
    const overlay = overlayOn(scratch).writeText(scratch.workspace.path('tool'), 'new');
    expect(await commit(scratch, overlay)).toMatchObject({
      kind: 'committed',
      warnings: [expect.stringContaining('"tool" does not get its set-user-ID')],
    });
    expect((await stat(scratch.at('tool'))).mode & 0o7777).toBe(mode & 0o777);
  });

  test('of an overlay is not written, nor moved along with a file', async () => {
    await using scratch = await ScratchWorkspace.create({ 'bin/tool': 'old', same: 'same' });
    await chmod(scratch.at('bin/tool'), 0o4755);
    const at = (path: string) => scratch.workspace.path(path);
    const moved = await moveFile(overlayOn(scratch), at('bin/tool'), at('tool'));
    const overlay = moved
      .write(at('new'), { kind: 'text', text: 'x', mode: 0o4711 })
      .write(at('same'), { kind: 'text', text: 'same', mode: 0o2755 });
    const outcome = await commit(scratch, overlay);
    expect(outcome).toMatchObject({ kind: 'committed' });
    expect(outcome.kind === 'committed' && outcome.warnings).toHaveLength(3);
    expect((await stat(scratch.at('tool'))).mode & 0o7777).toBe(0o755);
    expect((await stat(scratch.at('new'))).mode & 0o7777).toBe(0o711);
    expect((await stat(scratch.at('same'))).mode & 0o7777).toBe(0o755);
  });
});

describe('other hard links of a file', () => {
  test.each([
    ['replaced', '"a.txt" had other hard links; they keep the old content'],
    ['moved', '"a.txt" had other hard links; "b/moved.txt" is a file of its own'],
  ] as const)('are named when it is %s', async (what, warning) => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'a' });
    await link(scratch.at('a.txt'), scratch.at('other'));
    const at = (path: string) => scratch.workspace.path(path);
    const overlay =
      what === 'moved'
        ? await moveFile(overlayOn(scratch), at('a.txt'), at('b/moved.txt'))
        : overlayOn(scratch).writeText(at('a.txt'), 'new');
    expect(await commit(scratch, overlay)).toMatchObject({ kind: 'committed', warnings: [warning] });
    expect(await readFile(scratch.at('other'), 'utf8')).toBe('a');
  });
});

/** Directories swapped for links right before a call that is made in them, the worst moment there is. */
describe.each(['handles', 'verified'] as const)('a directory swapped for a link (%s)', (access) => {
  const files = {
    'd/changed.txt': 'old',
    'd/gone.txt': 'gone',
    'd/e/deep.txt': 'deep',
    'other.txt': 'other',
  };
  const planted = { 'changed.txt': 'old', 'gone.txt': 'gone', 'e/deep.txt': 'deep' };

  const changedIn = (scratch: ScratchWorkspace): Overlay => {
    const at = (path: string) => scratch.workspace.path(path);
    return overlayOn(scratch)
      .writeText(at('d/changed.txt'), 'new')
      .writeText(at('other.txt'), 'new')
      .remove(at('d/gone.txt'))
      .remove(at('d/e/deep.txt'))
      .write(at('d/made.txt'), { kind: 'text', text: 'made' })
      .write(at('d/f/made.txt'), { kind: 'text', text: 'made' })
      .write(at('d/link'), { kind: 'symlink', target: 'made.txt' });
  };

  // Verified paths do not notice a swap between the look and the call in time to save a file of the same content
  // from being replaced; everything else they take back.
  const steps = ['keep', 'delete', 'rmdir', 'mkdir', 'create', ...(access === 'handles' ? ['replace'] : [])];

  test.each(steps)(
    'before the step "%s" leads nothing outside, and the answer is a conflict',
    async (fatal) => {
      await using scratch = await ScratchWorkspace.create(files);
      await using outside = await ScratchWorkspace.create(planted);
      const before = await describeTree(scratch.workspace.root);
      const beforeOutside = await describeTree(outside.workspace.root);
      let swaps = 0;
      const onStep = (step: string) => {
        if (step !== fatal || swaps > 0) return;
        swaps += 1;
        renameSync(scratch.at('d'), scratch.at('moved-away'));
        symlinkSync(outside.workspace.root, scratch.at('d'));
      };
      const outcome = await commit(scratch, changedIn(scratch), { onStep, access }).catch(
        (thrown: unknown) => thrown,
      );
      expect(swaps).toBe(1);
      expect(await describeTree(outside.workspace.root)).toEqual(beforeOutside);
      if (access === 'handles') expect(outcome).toMatchObject({ kind: 'conflict' });
      else expect(outcome).not.toMatchObject({ kind: 'committed' });
      await unlink(scratch.at('d'));
      await rename(scratch.at('moved-away'), scratch.at('d'));
      // Steps that could not be undone by path are undone now that the path leads there again.
      await commit(scratch, overlayOn(scratch).writeText(scratch.workspace.path('probe'), ''), { access });
      await unlink(scratch.at('probe'));
      expect(await describeTree(scratch.workspace.root)).toEqual(before);
    },
  );

  test.each(['keep', 'delete', 'create', 'replace'])(
    'and back around the step "%s" does no harm',
    async (fatal) => {
      await using scratch = await ScratchWorkspace.create(files);
      await using outside = await ScratchWorkspace.create(planted);
      const beforeOutside = await describeTree(outside.workspace.root);
      const seen: string[] = [];
      const onStep = (step: string) => {
        if (existsSync(scratch.at('moved-away'))) {
          unlinkSync(scratch.at('d'));
          renameSync(scratch.at('moved-away'), scratch.at('d'));
        } else if (step === fatal && !seen.includes(fatal) && access === 'handles') {
          renameSync(scratch.at('d'), scratch.at('moved-away'));
          symlinkSync(outside.workspace.root, scratch.at('d'));
        }
        seen.push(step);
      };
      expect(await commit(scratch, changedIn(scratch), { onStep, access })).toMatchObject({
        kind: 'committed',
      });
      expect(await describeTree(outside.workspace.root)).toEqual(beforeOutside);
      expect(await readFile(scratch.at('d/changed.txt'), 'utf8')).toBe('new');
      expect(existsSync(scratch.at('d/gone.txt'))).toBe(false);
    },
  );

  test('at the root itself is noticed', async () => {
    await using parent = await ScratchWorkspace.create({ 'root/a.txt': 'old', 'elsewhere/a.txt': 'old' });
    const workspace = await Workspace.open(parent.at('root'));
    const overlay = Overlay.on(new Baseline(new DiskSource(workspace))).writeText(
      workspace.path('a.txt'),
      'new',
    );
    const onStep = (step: string) => {
      if (step !== 'keep') return;
      renameSync(parent.at('root'), parent.at('moved-away'));
      symlinkSync(parent.at('elsewhere'), parent.at('root'));
    };
    const options = { durability: 'process', onConflict: 'refuse', ...testState, onStep, access } as const;
    const outcome = await commitOverlay(workspace, overlay, options, never).catch(
      (thrown: unknown) => thrown,
    );
    expect(outcome).not.toMatchObject({ kind: 'committed' });
    expect(await readFile(parent.at('elsewhere/a.txt'), 'utf8')).toBe('old');
    expect(await readFile(parent.at('moved-away/a.txt'), 'utf8')).toBe('old');
  });
});

test('a path that led through a link is a conflict when the link leads elsewhere before the commit point', async () => {
  await using scratch = await ScratchWorkspace.create({ 'one/a.txt': 'a', 'two/a.txt': 'a' });
  await symlink('one', scratch.at('way'));
  const overlay = overlayOn(scratch).writeText(scratch.workspace.path('way/a.txt'), 'new');
  const onStep = (step: string) => {
    if (step !== 'replace') return;
    unlinkSync(scratch.at('way'));
    symlinkSync('two', scratch.at('way'));
  };
  expect(await commit(scratch, overlay, { onStep })).toEqual({ kind: 'conflict', paths: ['way/a.txt'] });
  expect(await readFile(scratch.at('one/a.txt'), 'utf8')).toBe('a');
});

test('what needed no step must still be so at the end', async () => {
  await using scratch = await ScratchWorkspace.create({ 'd/gone.txt': 'x', 'a.txt': 'a' });
  const at = (path: string) => scratch.workspace.path(path);
  const overlay = overlayOn(scratch).remove(at('d/gone.txt')).writeText(at('a.txt'), 'new');
  await overlay.changes();
  await rename(scratch.at('d'), scratch.at('away'));
  const onStep = (step: string) => {
    if (step === 'replace') renameSync(scratch.at('away'), scratch.at('d'));
  };
  expect(await commit(scratch, overlay, { onStep })).toEqual({ kind: 'conflict', paths: ['d/gone.txt'] });
  expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('a');
});

test('a commit to many directories keeps few of them open', { timeout: 60_000 }, async () => {
  await using scratch = await ScratchWorkspace.create();
  const at = (path: string) => scratch.workspace.path(path);
  const paths = Array.from({ length: 600 }, (_, index) => at(`d${index % 40}/e${index}/f.txt`));
  const overlay = overlayOn(scratch).writeAll(
    paths.map((path) => [path, { kind: 'text', text: path }] as const),
  );
  let [most, created] = [0, 0];
  const before = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  const onStep = (step: string) => {
    created += step === 'create' ? 1 : 0;
    if (created % 100 === 99 && process.platform === 'linux') {
      most = Math.max(most, readdirSync('/proc/self/fd').length);
    }
  };
  const outcome = await commit(scratch, overlay, { onStep });
  expect(outcome).toMatchObject({ kind: 'committed' });
  expect(most - before).toBeLessThan(300);
  expect(await readFile(scratch.at('d39/e599/f.txt'), 'utf8')).toBe('d39/e599/f.txt');
});
