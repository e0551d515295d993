import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { DiskState } from '../workspace/disk-state.ts';
import { Workspace } from '../workspace/workspace.ts';
import { DiskWatch, WorkspaceFolders } from './disk-watch.ts';

const calm = new AbortController().signal;

let root: string;
let disk: DiskState;
let watch: DiskWatch;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-disk-')));
  const workspace = await Workspace.open(root);
  disk = new DiskState(workspace);
  const folders = new WorkspaceFolders(workspace, () => []);
  watch = new DiskWatch({ disk, folders, signal: new AbortController().signal }, silentLog);
});

afterEach(async () => {
  await watch[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

test('those who look at one moment share a look, and whoever comes later has their own', async () => {
  await watch.begin();
  const refresh = vi.spyOn(disk, 'refresh');
  await Promise.all([watch.syncWithDisk(calm), watch.syncWithDisk(calm), watch.syncWithDisk(calm)]);
  expect(refresh).toHaveBeenCalledTimes(1);
  await watch.syncWithDisk(calm);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('a look takes in what was written before it, though another look is under way', async () => {
  const path = disk.workspace.path('a.txt');
  expect(disk.exists(path)).toBe(false);
  const earlier = watch.syncWithDisk(calm);
  await writeFile(join(root, 'a.txt'), 'here');
  await watch.syncWithDisk(calm);
  expect(disk.exists(path)).toBe(true);
  await earlier;
});

test('one of several who gives up does not take the look from the others', async () => {
  const impatient = new AbortController();
  const looks = [watch.syncWithDisk(impatient.signal), watch.syncWithDisk(calm)];
  impatient.abort(new Error('no time'));
  const [given, kept] = await Promise.allSettled(looks);
  expect(given).toMatchObject({ status: 'rejected', reason: { message: 'no time' } });
  expect(kept).toMatchObject({ status: 'fulfilled' });
});
