import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ProgramRun, runProgram } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';

let tree = '';

beforeEach(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-cli-trust-')));
  await mkdir(join(tree, 'repo/.git'), { recursive: true });
  await mkdir(join(tree, 'repo/src'), { recursive: true });
  await mkdir(join(tree, 'home'));
});

afterEach(() => rm(tree, { recursive: true, force: true }));

test('a workspace is trusted, listed and revoked', async () => {
  const trusted = await trust([], 'repo/src');
  expect(trusted).toMatchObject({ code: 0, stderr: '' });
  expect(trusted.stdout).toContain(`trusted ${join(tree, 'repo')}\n`);
  expect((await trust(['--list'])).stdout).toMatch(/repo {2}since \d{4}-\d\d-\d\d\n$/);
  expect(await trust(['--revoke'], 'repo')).toMatchObject({
    code: 0,
    stdout: `revoked ${join(tree, 'repo')}\n`,
  });
  expect((await trust(['--list'])).stdout).toBe('No workspace is trusted.\n');
  expect(await trust(['--revoke'], 'repo')).toMatchObject({ code: 1 });
});

test('a directory that is named is meant as it is', async () => {
  const { stdout } = await trust([join(tree, 'repo/src'), '--json']);
  expect(JSON.parse(stdout)).toEqual({ path: join(tree, 'repo/src'), outcome: 'trusted', trust: 'trusted' });
  const listed = JSON.parse((await trust(['--list', '--json'])).stdout);
  expect(listed).toEqual({
    trusted: [{ path: join(tree, 'repo/src'), since: expect.any(String) }],
    folders: [],
    file: join(tree, 'state/forerun/trust.json'),
  });
  await rm(join(tree, 'repo/src'), { recursive: true });
  expect(await trust(['--revoke', join(tree, 'repo/src')])).toMatchObject({ code: 0 });
});

test('a directory that is not there, and one that contains the store, are refused', async () => {
  expect(await trust(['nowhere'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('workspace/not-a-directory'),
  });
  expect(await trust([tree])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('workspace/trust-inside'),
  });
});

test('the home of a user is not taken for the workspace of a directory in it', async () => {
  await mkdir(join(tree, 'home/.git'));
  await mkdir(join(tree, 'home/downloads/x'), { recursive: true });
  const { stdout } = await trust([], 'home/downloads/x');
  expect(stdout).toContain(`trusted ${join(tree, 'home/downloads/x')}\n`);
});

test('folders come from the settings of the user, never from those of a workspace', async () => {
  const settings = JSON.stringify({ trust: { folders: [join(tree, 'repo')] } });
  await mkdir(join(tree, 'repo/.forerun'));
  await writeFile(join(tree, 'repo/.forerun/settings.json'), settings);
  const seen = async (): Promise<string> =>
    JSON.parse((await trust(['--revoke', '--json'], 'repo')).stdout).trust;
  expect(await seen()).toBe('untrusted');
  const set = await runProgram(['config', 'set', 'trust.folders', `["${join(tree, 'repo')}"]`], {
    cwd: join(tree, 'home'),
    env: env(),
  });
  expect(set).toMatchObject({ code: 0 });
  expect(await readFile(join(tree, 'config/forerun/settings.json'), 'utf8')).toContain('folders');
  expect(await seen()).toBe('trusted');
});

test('the help says what trusting means', async () => {
  const { stdout } = await trust(['--help']);
  expect(stdout).toMatch(/Until you trust a workspace/);
  expect(stdout).toMatch(/trust\.folders/);
});

function env(): Readonly<Record<string, string>> {
  return {
    HOME: join(tree, 'home'),
    XDG_STATE_HOME: join(tree, 'state'),
    XDG_CONFIG_HOME: join(tree, 'config'),
  };
}

function trust(words: readonly string[], cwd = '.'): Promise<ProgramRun> {
  return runInProcess(['trust', ...words], { cwd: join(tree, cwd), env: env() });
}
