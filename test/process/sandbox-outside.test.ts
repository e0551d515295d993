/** What commands wrote outside the workspace is part of the harvest, so that a caller can run them again. */
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { WrittenOutside } from '../../src/sandbox/harvest.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { isIsolationPossible, isolatedPlayers } from '../support/isolation.ts';
import { playAs } from '../support/sandbox-player.ts';
import { overlayOf } from '../support/sandbox-scenario.ts';

const { signal } = new AbortController();

let home = '';
let root = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-outside-')));
  await chmod(home, 0o755);
  root = join(home, 'workspace');
  await mkdir(root);
  await writeFile(join(root, 'file.txt'), 'disk\n');
});

afterEach(() => rm(home, { recursive: true, force: true }));

const nothing: WrittenOutside = { files: [], caches: [], truncated: false };

describe.each(isolatedPlayers)('a command of %s', (player) => {
  const outsideOf = async (...commands: string[]): Promise<WrittenOutside | undefined> => {
    const [account] = await playAs(player, home, [{ root, commands, tiers: ['isolated'] }]);
    expect(account?.outcomes.map((outcome) => outcome.kind === 'finished' && outcome.code)).toEqual(
      commands.map(() => 0),
    );
    return account?.outside;
  };

  test('that writes in the workspace alone wrote nothing outside', async () => {
    expect(
      await outsideOf('echo x > made.txt; cat /etc/passwd > /dev/null; mkdir /tmp/d && rmdir /tmp/d'),
    ).toEqual(nothing);
  });

  test('is known by every file it left outside', async () => {
    const command =
      'echo 1 > /tmp/one; mkdir -p /var/tmp/deep && ln -s x /var/tmp/deep/two; : > /dev/shm/three; mkdir -p /tmp/b/empty';
    expect(await outsideOf(command, 'mkfifo /run/four')).toEqual({
      ...nothing,
      files: ['/dev/shm/three', '/run/four', '/tmp/b/empty', '/tmp/one', '/var/tmp/deep/two'],
    });
  });

  test('that removed what it wrote left nothing', async () => {
    expect(await outsideOf('echo 1 > /tmp/one; rm /tmp/one')).toEqual(nothing);
  });

  test('is known by what it wrote to its home, with caches apart', async () => {
    const outside = await outsideOf('cd ~ && echo 1 > .toolrc && mkdir -p .cache/x && echo 2 > .cache/x/y');
    expect(outside?.files.map((path) => path.split('/').at(-1))).toEqual(['.toolrc']);
    expect(outside?.caches.map((path) => path.split('/').at(-1))).toEqual(['y']);
  });

  test('that filled a cache is still known by every other file', async () => {
    const fill = 'mkdir -p ~/.cache/tool && cd ~/.cache/tool && seq 1000 | xargs touch';
    expect(await outsideOf(fill)).toMatchObject({ files: [], truncated: false });
    const outside = await outsideOf(`${fill} && echo x > ~/zz-note && echo x > /var/tmp/zz`);
    expect(outside).toMatchObject({ truncated: false });
    expect(outside?.files.map((path) => path.split('/').at(-1))).toEqual(['zz-note', 'zz']);
  });

  test('that left very many files is known by some, and the list says so', async () => {
    const outside = await outsideOf('cd /tmp && seq 1000 | xargs touch');
    expect(outside).toMatchObject({ truncated: true });
    expect(outside?.files).toHaveLength(200);
  });
});

test.runIf(isIsolationPossible)('each harvest tells what was written since the last', async () => {
  const workspace = await Workspace.open(root);
  const options = { env: process.env, log: silentLog, tiers: ['isolated'] as const };
  await using sandbox = await openSandbox(workspace, overlayOf(workspace, {}), options, signal);
  const written = async (command: string): Promise<readonly string[]> => {
    await sandbox.run(command, { timeoutMs: 60_000 }, signal);
    const harvest = await sandbox.harvest(signal);
    return harvest.kind === 'harvested' ? harvest.outside.files : ['a conflict'];
  };
  expect(await written('echo 1 > /tmp/one')).toEqual(['/tmp/one']);
  expect(await written('cat /tmp/one')).toEqual([]);
  expect(await written('echo 2 > /tmp/two; echo more >> /tmp/one')).toEqual(['/tmp/one', '/tmp/two']);
});

test('a sandbox on a copy cannot tell', async () => {
  const [account] = await playAs('ourselves', home, [{ root, commands: ['true'], tiers: ['copied'] }]);
  expect(account?.outside).toEqual({ ...nothing, truncated: true });
});
