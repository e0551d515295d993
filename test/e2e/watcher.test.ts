import { mkdir, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Log, silentLog } from '../../src/base/log.ts';
import { type FileEvent, WorkspaceWatcher } from '../../src/workspace/watcher.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

const never = new AbortController().signal;

test('changes on disk are told once each, and ignored directories not at all', async () => {
  await using scratch = await ScratchWorkspace.create({
    'gone.ts': '',
    'changed.ts': '',
    'node_modules/m/a.ts': '',
  });
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, silentLog, never);
  expect(watcher.isWatching).toBe(true);
  const seen = new Map<string, FileEvent['kind']>();
  const done = new Promise<void>((resolve) => {
    watcher.changes.subscribe((events) => {
      expect(watcher.epoch).toBeGreaterThan(0);
      expect(new Set(events.map(({ path }) => path)).size).toBe(events.length);
      for (const { path, kind } of events) seen.set(path, kind);
      if (['new.ts', 'gone.ts', 'changed.ts'].every((path) => seen.has(path))) resolve();
    });
  });
  await writeFile(scratch.at('node_modules/m/a.ts'), 'changed');
  await mkdir(scratch.at('.hidden'));
  await writeFile(scratch.at('.hidden/x.ts'), 'x');
  await writeFile(scratch.at('new.ts'), 'x');
  await writeFile(scratch.at('changed.ts'), 'x');
  await rm(scratch.at('gone.ts'));
  await done;
  expect(Object.fromEntries(seen)).toMatchObject({
    'new.ts': 'created',
    'changed.ts': 'changed',
    'gone.ts': 'deleted',
  });
  expect([...seen.keys()].filter((path) => path.includes('/'))).toEqual([]);
});

test('a workspace that cannot be watched is told in the log, and the program goes on', async () => {
  const scratch = await ScratchWorkspace.create();
  await scratch[Symbol.asyncDispose]();
  const codes: unknown[] = [];

  const log = new Log(({ fields }) => void codes.push(fields.code));
  await using watcher = await WorkspaceWatcher.start(scratch.workspace, log, never);
  expect(watcher.isWatching).toBe(false);
  expect(watcher.epoch).toBe(0);
  expect(codes).toEqual(['workspace/unwatched']);
});
