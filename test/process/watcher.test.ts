import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Log, silentLog } from '../../src/base/log.ts';
import { clockTickMs } from '../../src/workspace/disk-state.ts';
import type { FileEvent } from '../../src/workspace/file-event.ts';
import type { NativeWatch, OpenNativeWatch, WatchListener } from '../../src/workspace/native-watch.ts';
import { WorkspaceWatcher } from '../../src/workspace/watcher.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

const never = new AbortController().signal;

const files = {
  'a.ts': 'export const a = 1;\n',
  'lib/b.ts': 'export const b = 1;\n',
  'lib/deep/c.ts': 'export const c = 1;\n',
  'node_modules/m/index.ts': 'export const m = 1;\n',
};

type At = (path: string) => string;

/** Every way by which the files above are changed, and what a listener must be told of it. */
const ways: Readonly<Record<string, readonly [act: (at: At) => void, reported: readonly string[]]>> = {
  'saved in place': [(at) => writeFileSync(at('a.ts'), 'export const a = 2;\n'), ['changed a.ts']],
  'saved in place twice in one tick': [
    (at) => {
      writeFileSync(at('a.ts'), 'export const a = 2;\n');
      writeFileSync(at('a.ts'), 'export const a = 3;\n');
    },
    ['changed a.ts'],
  ],
  appended: [(at) => appendFileSync(at('a.ts'), '//\n'), ['changed a.ts']],
  truncated: [(at) => truncateSync(at('lib/b.ts')), ['changed lib/b.ts']],
  'saved by rename': [
    (at) => {
      writeFileSync(at('a.ts.tmp'), 'export const a = 2;\n');
      renameSync(at('a.ts.tmp'), at('a.ts'));
    },
    ['changed a.ts'],
  ],
  'saved with a backup, as vim does': [
    (at) => {
      renameSync(at('a.ts'), at('a.ts~'));
      writeFileSync(at('a.ts'), 'export const a = 2;\n');
      unlinkSync(at('a.ts~'));
    },
    ['changed a.ts'],
  ],
  created: [(at) => writeFileSync(at('new.ts'), ''), ['created new.ts']],
  'created and deleted again': [
    (at) => {
      writeFileSync(at('new.ts'), '');
      unlinkSync(at('new.ts'));
    },
    [],
  ],
  deleted: [(at) => unlinkSync(at('lib/b.ts')), ['deleted lib/b.ts']],
  renamed: [(at) => renameSync(at('a.ts'), at('z.ts')), ['created z.ts', 'deleted a.ts']],
  'linked to': [(at) => symlinkSync('a.ts', at('z.ts')), ['created z.ts']],
  'made executable': [(at) => chmodSync(at('a.ts'), 0o755), ['changed a.ts']],
  'a directory renamed': [
    (at) => renameSync(at('lib'), at('src')),
    ['created src/b.ts', 'created src/deep/c.ts', 'deleted lib/b.ts', 'deleted lib/deep/c.ts'],
  ],
  'a directory deleted': [
    (at) => rmSync(at('lib'), { recursive: true }),
    ['deleted lib/b.ts', 'deleted lib/deep/c.ts'],
  ],
  'a directory deleted and made again': [
    (at) => {
      rmSync(at('lib'), { recursive: true });
      mkdirSync(at('lib/deep'), { recursive: true });
      writeFileSync(at('lib/deep/c.ts'), 'export const c = 2;\n');
    },
    ['changed lib/deep/c.ts', 'deleted lib/b.ts'],
  ],
  'a directory that becomes a file': [
    (at) => {
      rmSync(at('lib'), { recursive: true });
      writeFileSync(at('lib'), '');
    },
    ['created lib', 'deleted lib/b.ts', 'deleted lib/deep/c.ts'],
  ],
  'new directories with files in them': [
    (at) => {
      mkdirSync(at('one/two/three'), { recursive: true });
      writeFileSync(at('one/x.ts'), '');
      writeFileSync(at('one/two/three/y.ts'), '');
    },
    ['created one/two/three/y.ts', 'created one/x.ts'],
  ],
  'a tree copied in': [
    (at) => cpSync(at('lib'), at('copy'), { recursive: true }),
    ['created copy/b.ts', 'created copy/deep/c.ts'],
  ],
  'by a shell command': [
    (at) => execFileSync('sh', ['-c', 'for i in 1 2 3; do echo $i > s$i.ts; done; rm a.ts'], { cwd: at('') }),
    ['created s1.ts', 'created s2.ts', 'created s3.ts', 'deleted a.ts'],
  ],
  'in ignored places': [
    (at) => {
      writeFileSync(at('node_modules/m/index.ts'), '');
      mkdirSync(at('.cache'));
      writeFileSync(at('.cache/x.ts'), '');
    },
    [],
  ],
  'output that a new manifest tells from sources': [
    (at) => {
      mkdirSync(at('pkg/dist'), { recursive: true });
      writeFileSync(at('pkg/dist/out.js'), '');
      writeFileSync(at('pkg/dist/CACHEDIR.TAG'), '');
      writeFileSync(at('pkg/package.json'), '{}');
    },
    ['created pkg/package.json'],
  ],
};

test.each(Object.entries(ways))('%s: a look tells exactly that, at once', async (_, [act, expected]) => {
  await using scratch = await ScratchWorkspace.create(files);
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, { log: silentLog }, never);
  expect(watcher.isWatching).toBe(true);
  const reported = tellings(watcher);
  act((path) => scratch.at(path));
  await watcher.syncWithDisk(never);
  expect(reported.flat().sort()).toEqual(expected);
  // And what happens afterwards, in directories old and new, is heard of as well.
  mkdirSync(scratch.at('later'));
  await watcher.syncWithDisk(never);
  writeFileSync(scratch.at('later/file.ts'), '');
  await watcher.syncWithDisk(never);
  expect(reported.at(-1)).toEqual(['created later/file.ts']);
  expect(watcher.epoch).toBe(reported.length);
});

test.each(Object.entries(ways))('%s: unwatched, a look finds the same', async (_, [act, expected]) => {
  await using scratch = await ScratchWorkspace.create(files);
  await using watcher = await WorkspaceWatcher.start(
    scratch.workspace,
    { log: silentLog, native: refusing('ENOSPC') },
    never,
  );
  expect(watcher.isWatching).toBe(false);
  const reported = tellings(watcher);
  await watcher.syncWithDisk(never);
  act((path) => scratch.at(path));
  await watcher.syncWithDisk(never);
  expect(reported.flat().sort()).toEqual(expected);
});

test('changes are told without anybody looking, together once they stop', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, { log: silentLog }, never);
  const batch = nextBatch(watcher);
  writeFileSync(scratch.at('a.ts'), 'changed');
  unlinkSync(scratch.at('lib/b.ts'));
  await nextTurn();
  writeFileSync(scratch.at('new.ts'), '');
  expect(await batch).toEqual(['changed a.ts', 'created new.ts', 'deleted lib/b.ts']);
  expect(watcher.epoch).toBe(1);
});

test('ten thousand files checked out by git are told in one batch', async () => {
  const count = 10_000;
  await using scratch = await ScratchWorkspace.create({ 'a.ts': '' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'gc.auto=0', ...args], {
      cwd: scratch.workspace.root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('branch', 'bare');
  for (let at = 0; at < count; at++) {
    const directory = scratch.at(`d${at % 100}`);
    if (at < 100) mkdirSync(directory);
    writeFileSync(`${directory}/f${at}.ts`, `${at}`);
  }
  git('add', '.');
  git('commit', '-qm', 'many');
  git('branch', 'many');
  git('checkout', '-q', 'bare');
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, { log: silentLog }, never);
  const reported = tellings(watcher);
  git('checkout', '-q', 'many');
  await watcher.syncWithDisk(never);
  expect(reported.length).toBe(1);
  expect(reported[0]?.filter((event) => event.startsWith('created')).length).toBe(count);
  git('checkout', '-q', 'bare');
  await watcher.syncWithDisk(never);
  expect(reported.length).toBe(2);
  expect(reported[1]?.filter((event) => event.startsWith('deleted')).length).toBe(count);
  expect(watcher.epoch).toBe(2);
});

test('a look waits for the scan of a long change that has begun by itself', async () => {
  // So many files that the scan lets other callers run in between.
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`lib/f${at}.ts`, '']));
  await using scratch = await ScratchWorkspace.create(many);
  await laterThanTheirTimes();
  const native = deaf();
  await using watcher = await WorkspaceWatcher.start(
    scratch.workspace,
    { log: silentLog, native: native.open },
    never,
  );
  const reported = tellings(watcher);
  for (let at = 0; at < 1200; at++) writeFileSync(scratch.at(`lib/f${at}.ts`), 'changed');
  native.listener().received(scratch.at('lib'));
  await native.entered(scratch.at('lib'));
  expect(reported).toEqual([]);
  await watcher.syncWithDisk(never);
  expect(reported.map((batch) => batch.length)).toEqual([1200]);
});

test('after words were lost, looking through everything finds exactly what changed', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  await laterThanTheirTimes();
  const native = deaf();
  await using watcher = await WorkspaceWatcher.start(
    scratch.workspace,
    { log: silentLog, native: native.open },
    never,
  );
  const reported = tellings(watcher);
  writeFileSync(scratch.at('a.ts'), 'changed unheard');
  writeFileSync(scratch.at('lib/new.ts'), '');
  rmSync(scratch.at('lib/deep'), { recursive: true });
  await watcher.syncWithDisk(never);
  expect(reported).toEqual([]);
  const batch = nextBatch(watcher);
  native.listener().lost('the queue ran over');
  expect(await batch).toEqual(['changed a.ts', 'created lib/new.ts', 'deleted lib/deep/c.ts']);
  expect(watcher.epoch).toBe(1);
});

test('where even looking fails, that is told, and the next look tries again', async () => {
  await using scratch = await ScratchWorkspace.create({ ...files, 'odd\\name/x.ts': '' });
  await laterThanTheirTimes();
  const native = deaf();
  await using watcher = await WorkspaceWatcher.start(
    scratch.workspace,
    { log: silentLog, native: native.open },
    never,
  );
  const reported = tellings(watcher);
  // A directory replaced by a loop of links cannot be looked at by anybody.
  rmSync(scratch.at('lib'), { recursive: true });
  symlinkSync('lib', scratch.at('lib'));
  native.listener().received(scratch.at('lib'));
  await watcher.syncWithDisk(never);
  expect([watcher.isDiskStateUnknown, reported]).toEqual([true, [[]]]);
  unlinkSync(scratch.at('lib'));
  await watcher.syncWithDisk(never);
  expect(watcher.isDiskStateUnknown).toBe(false);
  expect(reported.flat().sort()).toEqual(['deleted lib/b.ts', 'deleted lib/deep/c.ts']);
});

test('a root that was deleted and made again is watched again', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, { log: silentLog }, never);
  const reported = tellings(watcher);
  rmSync(scratch.workspace.root, { recursive: true });
  await watcher.syncWithDisk(never);
  expect(watcher.isWatching).toBe(false);
  expect(reported.flat().sort()).toEqual(['deleted a.ts', 'deleted lib/b.ts', 'deleted lib/deep/c.ts']);
  mkdirSync(scratch.workspace.root);
  writeFileSync(scratch.at('a.ts'), 'again');
  await watcher.syncWithDisk(never);
  expect(watcher.isWatching).toBe(true);
  const batch = nextBatch(watcher);
  writeFileSync(scratch.at('b.ts'), '');
  expect(await batch).toEqual(['created b.ts']);
});

test.each(['ENOSPC', 'EMFILE'])('a system out of watches (%s) is named with a remedy', async (code) => {
  await using scratch = await ScratchWorkspace.create(files);
  const records: unknown[] = [];
  const log = new Log(({ fields }) => void records.push(fields));
  await using watcher = await WorkspaceWatcher.start(
    scratch.workspace,
    { log, native: refusing(code) },
    never,
  );
  expect(watcher.isWatching).toBe(false);
  expect(records).toEqual([
    expect.objectContaining({
      code: 'workspace/unwatched',
      remedy: expect.stringContaining('fs.inotify.max_user_'),
    }),
  ]);
});

test('a workspace that is not there is told in the log, and the program goes on', async () => {
  const scratch = await ScratchWorkspace.create();
  await scratch[Symbol.asyncDispose]();
  const codes: unknown[] = [];
  const log = new Log(({ fields }) => void codes.push(fields.code));
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, { log }, never);
  expect(watcher.isWatching).toBe(false);
  expect(watcher.epoch).toBe(0);
  expect(codes).toEqual(['workspace/unwatched']);
});

/** Files that were made a moment ago are not told from changed ones by their times; after a tick they are. */
async function laterThanTheirTimes(): Promise<void> {
  for (const until = Date.now() + clockTickMs; Date.now() <= until; ) await nextTurn();
}

/** What the watcher tells, batch by batch. */
function tellings(watcher: WorkspaceWatcher): string[][] {
  const reported: string[][] = [];
  watcher.changes.subscribe((events) => {
    expect(new Set(events.map(({ path }) => path)).size).toBe(events.length);
    reported.push(events.map(line));
  });
  return reported;
}

function nextBatch(watcher: WorkspaceWatcher): Promise<string[]> {
  return new Promise((resolve) => {
    const subscription = watcher.changes.subscribe((events) => {
      subscription[Symbol.dispose]();
      resolve(events.map(line).sort());
    });
  });
}

function line({ kind, path }: FileEvent): string {
  return `${kind} ${path}`;
}

const silentNative: NativeWatch = {
  enter: () => {},
  leave: () => {},
  settled: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

/** A system that lets some directories be watched and refuses the rest. */
function refusing(code: string): OpenNativeWatch {
  return async () => ({
    ...silentNative,
    enter: (directory) => {
      if (directory.endsWith('/lib')) throw Object.assign(new Error(`${code}: no more watches`), { code });
    },
  });
}

/** A system that says nothing but what a test has it say. */
function deaf(): {
  readonly open: OpenNativeWatch;
  listener(): WatchListener;
  /** Resolves when a scan enters the directory. */
  entered(directory: string): Promise<void>;
} {
  let received: WatchListener | undefined;
  const waiting = new Map<string, () => void>();
  return {
    open: async (_, listener) => {
      received = listener;
      return { ...silentNative, enter: (directory) => waiting.get(directory)?.() };
    },
    entered: (directory) =>
      new Promise((resolve) => {
        waiting.set(directory, resolve);
      }),
    listener: () => {
      if (!received) throw new Error('nothing is watched yet');
      return received;
    },
  };
}
