/** Which journals are used: complete ones of our own state directory, and none that a workspace contains. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, truncateSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { describeTree } from '../../../test/support/tree-hash.ts';
import { bootId } from '../../process/living-process.ts';
import { sha256 } from '../../storage/hash.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { Overlay } from '../overlay.ts';
import { commitOverlay, recoverCommits } from './commit.ts';
import { type Journal, printJournal } from './internal/journal.ts';
import { JournalStore } from './internal/journal-store.ts';

const never = new AbortController().signal;
const hash = (text: string) => hashContent({ kind: 'text', text });

/** A workspace, a state directory and a directory that belongs to neither. */
async function scene(files: Readonly<Record<string, string>>) {
  const scratch = await ScratchWorkspace.create(files);
  const state = await ScratchWorkspace.create();
  const outside = await ScratchWorkspace.create({ 'precious.txt': 'precious', 'b/file.txt': 'outside' });
  const stateDirectory = state.at('forerun');
  const { workspace } = scratch;
  return {
    scratch,
    workspace,
    outside,
    stateDirectory,
    store: new JournalStore(stateDirectory, workspace.root),
    recover: () => recoverCommits(workspace, { stateDirectory }),
    commit: (path: string, text: string) => {
      const overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
      const options = { durability: 'process', onConflict: 'refuse', stateDirectory } as const;
      return commitOverlay(workspace, overlay.writeText(workspace.path(path), text), options, never);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [scratch, state, outside]) await each[Symbol.asyncDispose]();
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const id = '01234567-89ab-4cde-8f01-23456789abcd';

/** The journal of a commit that replaced `a.txt` and was killed before its commit point. */
async function interrupt(here: Scene, change: (journal: Journal) => object = (journal) => journal) {
  const path = here.workspace.path(`.forerun-tx-${id}`);
  await mkdir(here.scratch.at(path), { mode: 0o700 });
  await writeFile(join(here.scratch.at(path), 'old-0'), 'before');
  const identityOf = (place: string) => {
    const { dev, ino } = lstatSync(place, { bigint: true });
    return { dev, ino };
  };
  const { root } = here.workspace;
  const journal: Journal = {
    workspace: { root, boot: bootId(), ...identityOf(root) },
    work: { path, identity: identityOf(here.scratch.at(path)) },
    steps: [
      { kind: 'replace', path: here.workspace.path('a.txt'), before: hash('before'), after: hash('after') },
    ],
  };
  await mkdir(here.store.directory, { recursive: true, mode: 0o700 });
  const file = join(here.store.directory, `${id}.pending`);
  await writeFile(file, printJournal({ ...journal, ...change(journal) }));
  return file;
}

describe('an interrupted commit', () => {
  test('is rolled back, and leaves nothing in the tree or the state directory', async () => {
    await using here = await scene({ 'a.txt': 'after' });
    await interrupt(here);
    expect(await here.recover()).toEqual({ finished: 0, undone: ['a.txt'], kept: [], warnings: [] });
    expect(await readFile(here.scratch.at('a.txt'), 'utf8')).toBe('before');
    expect(await describeTree(here.workspace.root)).toHaveLength(1);
    expect(await readdir(join(here.stateDirectory, 'journal'))).toEqual([]);
  });

  test('leaves alone what was changed since', async () => {
    await using here = await scene({ 'a.txt': 'theirs' });
    await interrupt(here);
    expect(await here.recover()).toEqual({ finished: 0, undone: [], kept: ['a.txt'], warnings: [] });
    expect(await readFile(here.scratch.at('a.txt'), 'utf8')).toBe('theirs');
    expect(await describeTree(here.workspace.root)).toHaveLength(1);
  });

  test('is rolled back after a restart that gave the device another number', async () => {
    await using here = await scene({ 'a.txt': 'after' });
    await interrupt(here, ({ workspace, work, steps }) => ({
      workspace: { ...workspace, boot: 'an earlier one', dev: workspace.dev + 1n },
      work: { ...work, identity: { ino: work.identity?.ino ?? 0n, dev: workspace.dev + 1n } },
      steps,
    }));
    expect(await here.recover()).toMatchObject({ undone: ['a.txt'], warnings: [] });
  });

  test('does not restore a kept file that is not the recorded one, and says where it is', async () => {
    await using here = await scene({ 'a.txt': 'after' });
    await interrupt(here);
    await writeFile(here.scratch.at(`.forerun-tx-${id}/old-0`), 'planted');
    const { undone, kept, warnings } = await here.recover();
    expect({ undone, kept }).toEqual({ undone: [], kept: ['a.txt'] });
    expect(warnings).toEqual([expect.stringContaining(`is kept in ".forerun-tx-${id}"`)]);
    expect(await readFile(here.scratch.at('a.txt'), 'utf8')).toBe('after');
    expect(await here.recover()).toMatchObject({ warnings: [] });
  });

  test('follows no link that a directory of it has become', async () => {
    await using here = await scene({ 'b/file.txt': 'after' });
    const path = here.workspace.path('b/file.txt');
    await interrupt(here, () => ({
      steps: [{ kind: 'replace', path, before: hash('before'), after: hash('outside') }],
    }));
    await rm(here.scratch.at('b'), { recursive: true });
    await symlink(here.outside.at('b'), here.scratch.at('b'));
    const before = await describeTree(here.outside.workspace.root);
    const { kept, warnings } = await here.recover();
    expect(kept).toEqual(['b/file.txt']);
    expect(warnings).toEqual([expect.stringContaining('could not be put back')]);
    expect(await describeTree(here.outside.workspace.root)).toEqual(before);
    expect(await readFile(here.scratch.at(`.forerun-tx-${id}/old-0`), 'utf8')).toBe('before');
  });
});

describe('a journal of our own that is', () => {
  const edited: [string, (journal: Journal) => object][] = [
    [
      'about a root that was replaced',
      ({ workspace }) => ({ workspace: { ...workspace, ino: workspace.ino + 1n } }),
    ],
    ['about another workspace', ({ workspace }) => ({ workspace: { ...workspace, root: '/elsewhere' } })],
    ['about another device', ({ workspace }) => ({ workspace: { ...workspace, dev: workspace.dev + 1n } })],
    ['leading out by its steps', () => ({ steps: [{ kind: 'create', path: '../x', after: hash('after') }] })],
    ['leading out from the root', () => ({ steps: [{ kind: 'rmdir', path: '/etc', mode: 0 }] })],
    ['leading into itself', () => ({ steps: [{ kind: 'rmdir', path: 'a/../../x', mode: 0 }] })],
    ['about an unknown step', () => ({ steps: [{ kind: 'chmod', path: 'a.txt' }] })],
    ['working in a directory of the workspace', ({ work }) => ({ work: { ...work, path: 'src' } })],
    [
      'working in a replaced directory',
      ({ work }) => ({ work: { ...work, identity: { dev: work.identity?.dev ?? 0n, ino: 1n } } }),
    ],
    ['decided outside the state directory', () => ({ decidedAt: { record: '/etc/passwd', mark: 'root' } })],
    ['decided by anything', ({ workspace }) => ({ decidedAt: { record: workspace.root, mark: '' } })],
    [
      'without its work directory',
      () => ({ work: { path: `.git/forerun-tx-${id}`, identity: { dev: 1n, ino: 1n } } }),
    ],
  ];
  const damaged: [string, (file: string) => Promise<void>][] = [
    ['cut short', async (file) => truncateSync(file, Math.floor((await stat(file)).size / 2))],
    ['empty', (file) => writeFile(file, '')],
    [
      'changed by a byte',
      async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('a.txt', 'b.txt')),
    ],
    ['of the former format', (file) => writeFile(file, JSON.stringify({ version: 1, steps: [] }))],
    ['of a later version', (file) => writeFile(file, `{"version":3,"sha256":"${sha256('{}')}"}\n{}\n`)],
    ['longer than its content', async (file) => writeFile(file, `${await readFile(file, 'utf8')}more\n`)],
    ['no object', (file) => writeFile(file, `{"version":2,"sha256":"${sha256('[]')}"}\n[]\n`)],
    ['too large', async (file) => truncateSync(file, 300 * 1024 * 1024)],
    ['a link', async (file) => rename(file, `${file}.real`).then(() => symlink(`${file}.real`, file))],
    ['a directory', async (file) => rm(file).then(() => mkdir(file))],
  ];
  const cases: [string, (here: Scene) => Promise<unknown>][] = [
    ...edited.map(([name, edit]): (typeof cases)[number] => [name, (here) => interrupt(here, edit)]),
    ...damaged.map(([name, damage]): (typeof cases)[number] => [
      name,
      async (here) => damage(await interrupt(here)),
    ]),
  ];

  test.each(cases)(
    '%s is set aside with a message, and stops neither opening nor commits',
    async (_name, plant) => {
      await using here = await scene({ 'a.txt': 'after', 'b.txt': 'after', 'src/x.txt': 'x' });
      await plant(here);
      const before = await describeTree(here.workspace.root);
      const { warnings, ...rest } = await here.recover();
      expect(rest).toEqual({ finished: 0, undone: [], kept: [] });
      expect(warnings).toEqual([expect.stringMatching(/was not used: .*set aside as/)]);
      expect(await describeTree(here.workspace.root)).toEqual(before);
      expect(readdirSync(join(here.store.directory, 'set-aside'))).toHaveLength(1);
      expect(await here.recover()).toMatchObject({ warnings: [] });
      expect(await here.commit('new.txt', 'new')).toMatchObject({ kind: 'committed', warnings: [] });
    },
  );

  test.each(cases)('%s is set aside by a commit as well', async (_name, plant) => {
    await using here = await scene({ 'a.txt': 'after', 'b.txt': 'after', 'src/x.txt': 'x' });
    await plant(here);
    expect(await here.commit('new.txt', 'new')).toMatchObject({
      kind: 'committed',
      warnings: [expect.stringContaining('set aside')],
    });
    expect(await readFile(here.scratch.at('a.txt'), 'utf8')).toBe('after');
  });
});

describe('what a workspace brings along', () => {
  const steps = (path: string) => [
    { kind: 'replace', path, before: hash('planted'), after: hash('precious') },
    { kind: 'create', path, after: hash('precious') },
    { kind: 'rmdir', path: 'made', mode: 0o4777 },
  ];
  const texts: [string, string][] = [
    ['steps through a link', JSON.stringify({ version: 1, steps: steps('out/precious.txt') })],
    ['steps that climb', JSON.stringify({ version: 1, steps: steps('../precious.txt') })],
    ['hostile JSON', `${'['.repeat(100_000)}`],
    ['a prototype', '{"__proto__":{"steps":[]},"version":1}'],
  ];

  test.each(texts)('is never read as a journal: %s', async (_name, text) => {
    await using here = await scene({ 'a.txt': 'a', '.git/HEAD': 'ref' });
    await symlink(here.outside.workspace.root, here.scratch.at('out'));
    for (const place of ['.forerun-tx', '.git/forerun-tx', `.forerun-tx-${randomUUID()}`]) {
      const transaction = here.scratch.at(`${place}/tx-1`);
      await mkdir(join(transaction, 'old'), { recursive: true });
      await mkdir(join(transaction, 'new'));
      await writeFile(join(transaction, 'old/0'), 'planted');
      await writeFile(join(transaction, 'journal.json'), text);
      await writeFile(join(transaction, 'journal.committed'), text);
      await writeFile(here.scratch.at(`${place}/lock`), JSON.stringify({ pid: process.pid }));
    }
    await leavesAlone(here);
  });

  test('is neither followed nor removed where it is a link or huge', async () => {
    await using here = await scene({
      'a.txt': 'a',
      '.git/HEAD': 'ref',
      '.git/forerun-tx/tx-1/journal.json': '{',
    });
    truncateSync(here.scratch.at('.git/forerun-tx/tx-1/journal.json'), 2 ** 33);
    await symlink(here.outside.workspace.root, here.scratch.at('.forerun-tx'));
    const [size, target] = [2 ** 33, here.outside.workspace.root];
    const outside = await describeTree(target);
    expect(await here.recover()).toEqual({ finished: 0, undone: [], kept: [], warnings: [] });
    expect(await here.commit('a.txt', 'new')).toMatchObject({ kind: 'committed', warnings: [] });
    expect((await stat(here.scratch.at('.git/forerun-tx/tx-1/journal.json'))).size).toBe(size);
    expect((await lstat(here.scratch.at('.forerun-tx'))).isSymbolicLink()).toBe(true);
    expect(await describeTree(target)).toEqual(outside);
  });

  async function leavesAlone(here: Scene): Promise<void> {
    const [tree, outside] = [here.workspace.root, here.outside.workspace.root];
    const before = { tree: await describeTree(tree), outside: await describeTree(outside) };
    expect(await here.recover()).toEqual({ finished: 0, undone: [], kept: [], warnings: [] });
    expect(await describeTree(tree)).toEqual(before.tree);
    expect(await here.commit('a.txt', 'new')).toEqual({
      kind: 'committed',
      written: ['a.txt'],
      warnings: [],
    });
    const isOther = (line: string) => !line.startsWith('a.txt');
    expect((await describeTree(tree)).filter(isOther)).toEqual(before.tree.filter(isOther));
    expect(await describeTree(outside)).toEqual(before.outside);
  }
});

describe('the state directory', () => {
  test('holds journals that this user alone can read', async () => {
    await using here = await scene({ 'a.txt': 'a' });
    const modes: string[] = [];
    const look = (step: string) => {
      if (step === 'lock') return;
      for (const name of readdirSync(here.stateDirectory, { recursive: true, encoding: 'utf8' })) {
        modes.push((lstatSync(join(here.stateDirectory, name)).mode & 0o777).toString(8));
      }
    };
    const overlay = Overlay.on(new Baseline(new DiskSource(here.workspace)));
    const options = {
      durability: 'process',
      onConflict: 'refuse',
      stateDirectory: here.stateDirectory,
      onStep: look,
    } as const;
    const changed = overlay.writeText(here.workspace.path('a.txt'), 'new');
    await commitOverlay(here.workspace, changed, options, never);
    expect(new Set(modes)).toEqual(new Set(['700', '600']));
  });

  test('that cannot be written is named, with the way out, and nothing is changed', async () => {
    await using here = await scene({ 'a.txt': 'a' });
    await writeFile(here.stateDirectory, 'a file');
    await expect(here.commit('a.txt', 'new')).rejects.toMatchObject({
      code: 'overlay/journal-unavailable',
      message: expect.stringContaining(here.stateDirectory),
      remedy: expect.stringContaining('XDG_STATE_HOME'),
    });
    expect(await readFile(here.scratch.at('a.txt'), 'utf8')).toBe('a');
    expect(await here.recover()).toMatchObject({ undone: [] });
  });

  test('that another user could have prepared is refused', async () => {
    await using here = await scene({ 'a.txt': 'a' });
    await mkdir(here.stateDirectory);
    await symlink(here.outside.workspace.root, join(here.stateDirectory, 'journal'));
    await expect(here.commit('a.txt', 'new')).rejects.toMatchObject({ code: 'storage/unsafe-directory' });
    await chmod(here.stateDirectory, 0o755);
    expect(await here.recover()).toMatchObject({ undone: [] });
  });

  test('is never written by a commit to the workspace it lies in', async () => {
    await using home = await ScratchWorkspace.create({ 'a.txt': 'a' });
    const stateDirectory = home.at('.local/state/forerun');
    const options = { durability: 'process', onConflict: 'refuse', stateDirectory } as const;
    await mkdir(stateDirectory, { recursive: true });
    await symlink('.local/state', home.at('alias'));
    for (const path of ['.local/state/forerun/trust.json', 'alias/forerun/journal/x.pending']) {
      const overlay = Overlay.on(new Baseline(new DiskSource(home.workspace)));
      const changed = overlay.writeText(home.workspace.path(path), '{}');
      const committing = commitOverlay(home.workspace, changed, options, never);
      await expect(committing).rejects.toMatchObject({ code: 'overlay/protected-path' });
    }
  });
});

test('a decision that is recorded outside the state directory is refused before anything is written', async () => {
  await using here = await scene({ 'a.txt': 'a' });
  const overlay = Overlay.on(new Baseline(new DiskSource(here.workspace)));
  const options = {
    durability: 'process',
    onConflict: 'refuse',
    stateDirectory: here.stateDirectory,
    decision: { place: { record: here.scratch.at('record'), mark: 'm' }, decide: async () => {} },
  } as const;
  const changed = overlay.writeText(here.workspace.path('a.txt'), 'new');
  await expect(commitOverlay(here.workspace, changed, options, never)).rejects.toMatchObject({
    code: 'overlay/decision-outside-state',
  });
});
