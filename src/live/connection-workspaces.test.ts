import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { readText } from '../overlay/overlay.ts';
import type { ConnectionWorkspaces } from './connection-workspaces.ts';
import { WorkspaceRegistry } from './workspace-registry.ts';
import type { WorkspaceView } from './workspace-view.ts';

const never = new AbortController().signal;
let root: string;
let registry: WorkspaceRegistry;
let connection: ConnectionWorkspaces;
let view: WorkspaceView;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-views-')));
  await writeFile(join(root, 'a.txt'), 'disk');
  registry = new WorkspaceRegistry({ definitions: [], env: { HOME: root }, log: silentLog });
  connection = registry.connect();
  view = await connection.open(root, never);
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function textOf(seen: WorkspaceView | undefined): Promise<string | undefined> {
  return seen && (await readText(seen.overlay, seen.workspace.path('a.txt'))).text;
}

function unsaved(seen: WorkspaceView, text: string, path = 'a.txt'): WorkspaceView {
  return seen.with(seen.overlay.writeText(seen.workspace.path(path), text));
}

test('a view that was handed out never changes, the next one shows the unsaved text', async () => {
  connection.update(view, (current) => unsaved(current, 'unsaved'));
  expect([await textOf(view), await textOf(connection.active)]).toEqual(['disk', 'unsaved']);
});

test('documents that are opened from one and the same view are both seen', async () => {
  connection.update(view, (current) => unsaved(current, 'first'));
  connection.update(view, (current) => unsaved(current, 'second', 'b.txt'));
  const layer = connection.active?.overlay.layer();
  expect([...(layer?.keys() ?? [])]).toEqual(['a.txt', 'b.txt']);
});

test('unsaved text of one connection is seen by no other', async () => {
  connection.update(view, (current) => unsaved(current, 'mine'));
  const other = await registry.connect().open(root, never);
  expect([await textOf(other), other.live === view.live]).toEqual(['disk', true]);
});

test('calls that see overlays of their own neither see each other nor change the connection', async () => {
  const calls = ['one', 'two'].map((text) => connection.seeing([unsaved(view, text)]));
  const seen = calls.map(async (call) => textOf(await call.forFile(join(root, 'a.txt'), never)));
  expect(await Promise.all(seen)).toEqual(['one', 'two']);
  expect(await textOf(connection.active)).toBe('disk');
});

test('disposing a connection leaves the workspace open for the others', async () => {
  connection[Symbol.dispose]();
  expect([connection.all, registry.all]).toEqual([[], [view.live]]);
  expect((await registry.open(root, never)).live).toBe(view.live);
});
