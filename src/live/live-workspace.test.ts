import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Workspace } from '../workspace/workspace.ts';
import { WorkspaceRegistry } from './workspace-registry.ts';

const never = new AbortController().signal;

test('one untrusted folder among several limits the workspace', async () => {
  const directory = async () => realpath(await mkdtemp(join(tmpdir(), 'forerun-trust-')));
  const [root, friend, stranger] = [await directory(), await directory(), await directory()];
  const trust = { trustOf: (asked: string) => (asked === stranger ? 'untrusted' : 'trusted') } as const;
  const registry = new WorkspaceRegistry({ definitions: [], env: { HOME: root }, log: silentLog, trust });
  try {
    const { live } = await registry.connect().open(root, never);
    const add = async (folder: string) => live.folders.add(await Workspace.open(folder), silentLog, never);
    await add(friend);
    expect(live.trust).toBe('trusted');
    await add(stranger);
    expect(live.trust).toBe('untrusted');
    await live.folders.remove(stranger);
    expect(live.trust).toBe('trusted');
  } finally {
    await registry[Symbol.asyncDispose]();
    for (const made of [root, friend, stranger]) await rm(made, { recursive: true, force: true });
  }
});
