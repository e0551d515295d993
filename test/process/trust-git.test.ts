/** Git is run in every workspace, trusted or not; a repository's configuration must not make it run anything. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeScope, changedFiles } from '../../src/tools/impact/changed-file.ts';

const { signal } = new AbortController();
const run = promisify(execFile);

let tree = '';
let root = '';
let canary = '';
let evil = '';

beforeEach(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-trust-git-')));
  root = join(tree, 'ws');
  canary = join(tree, 'canary');
  evil = join(root, 'evil.sh');
  await mkdir(join(root, 'hooks'), { recursive: true });
  await git('init', '--quiet');
  await git('config', 'user.email', 'a@example.com');
  await git('config', 'user.name', 'a');
  await writeFile(join(root, 'a.txt'), 'one\n');
  await writeFile(join(root, 'b.txt'), 'one\n');
  await writeFile(join(root, '.gitattributes'), '*.txt filter=evil diff=evil\n*.bin filter="a=b"\n');
  await writeFile(evil, `#!/bin/sh\necho "$0 $@" >> '${canary}'\ncat 2>/dev/null\n`);
  await chmod(evil, 0o755);
  await git('add', '-A');
  await git('commit', '--quiet', '-m', 'one');
  await writeFile(join(root, 'a.txt'), 'two\n');
  await git('commit', '--quiet', '-am', 'two');
});

afterEach(() => rm(tree, { recursive: true, force: true }));

const settings: Readonly<Record<string, string>> = {
  'a clean filter': '[filter "evil"]\n\tclean = EVIL clean\n\trequired = true\n',
  'a filter process': '[filter "evil"]\n\tprocess = EVIL process\n\trequired = true\n',
  'an external diff': '[diff]\n\texternal = EVIL\n',
  'a diff driver': '[diff "evil"]\n\tcommand = EVIL\n\ttextconv = EVIL\n\tbinary = true\n',
  'a monitor of the file system': '[core]\n\tfsmonitor = EVIL\n',
  hooks: '[core]\n\thooksPath = HOOKS\n',
  'a pager': '[core]\n\tpager = EVIL\n[pager]\n\tdiff = EVIL\n',
  'an alias of what is run': '[alias]\n\tdiff = !EVIL\n\tls-files = !EVIL\n\tconfig = !EVIL\n',
  'an included file with a filter': '[include]\n\tpath = ../included\n',
  'a remote that objects are fetched from':
    '[remote "origin"]\n\turl = ext::EVIL\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n[core]\n\tsshCommand = EVIL\n\tgitProxy = EVIL\n[credential]\n\thelper = !EVIL\n',
};

const scopes: readonly (readonly [ChangeScope, readonly string[]])[] = [
  ['unstaged', ['b.txt', 'new.txt']],
  ['staged', []],
  ['committed', ['a.txt']],
];

test.each(Object.keys(settings))('%s of a repository is not run, and the answer is right', async (name) => {
  const filled = (text: string): string =>
    text.replaceAll('EVIL', evil).replaceAll('HOOKS', join(root, 'hooks'));
  await writeFile(join(root, 'included'), filled('[filter "evil"]\n\tclean = EVIL included\n'));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) {
    await writeFile(join(root, 'hooks', hook), await readFile(evil));
    await chmod(join(root, 'hooks', hook), 0o755);
  }
  await writeFile(join(root, '.gitignore'), 'included\nhooks\n');
  await git('add', '.gitignore');
  await git('commit', '--quiet', '--amend', '--no-edit');
  await appendFile(join(root, '.git/config'), filled(settings[name] ?? ''));
  await writeFile(join(root, 'b.txt'), 'three\n');
  await writeFile(join(root, 'new.txt'), 'new\n');
  for (const [scope, expected] of scopes) {
    const found = await changedFiles(root, { scope, env: process.env }, signal);
    expect(found.filter((path) => path.endsWith('.txt')).sort(), scope).toEqual(expected);
  }
  expect(existsSync(canary)).toBe(false);
});

test('a filter whose name cannot be overridden is a reason not to run git', async () => {
  await appendFile(join(root, '.git/config'), `[filter "a=b"]\n\tclean = ${evil}\n`);
  await writeFile(join(root, 'x.bin'), 'x');
  await expect(changedFiles(root, { scope: 'unstaged', env: process.env }, signal)).rejects.toMatchObject({
    code: 'tools/git-failed',
  });
  expect(existsSync(canary)).toBe(false);
});

test('a file whose time stamp alone changed is not reported', async () => {
  await utimes(join(root, 'b.txt'), new Date(), new Date(Date.now() + 60_000));
  expect(await changedFiles(root, { scope: 'unstaged', env: process.env }, signal)).toEqual([]);
});

test('the configuration of a submodule is not run', async () => {
  const inner = join(root, 'inner');
  await mkdir(inner);
  await run('git', ['init', '--quiet'], { cwd: inner });
  await writeFile(join(inner, 'c.txt'), 'c\n');
  const identity = ['-c', 'user.email=a@example.com', '-c', 'user.name=a'];
  await run('git', [...identity, 'add', '-A'], { cwd: inner });
  await run('git', [...identity, 'commit', '--quiet', '-m', 'c'], { cwd: inner });
  await git('add', 'inner');
  await git('commit', '--quiet', '-m', 'inner');
  await appendFile(join(inner, '.git/config'), `[core]\n\tfsmonitor = ${evil}\n`);
  await writeFile(join(inner, 'c.txt'), 'd\n');
  expect(await changedFiles(root, { scope: 'unstaged', env: process.env }, signal)).toEqual([]);
  expect(existsSync(canary)).toBe(false);
});

test('a program called git on a search path inside the repository is not run', async () => {
  await writeFile(join(root, 'git'), await readFile(evil));
  await chmod(join(root, 'git'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${root}:.:${before}`;
  try {
    expect(await changedFiles(root, { scope: 'committed', env: process.env }, signal)).toEqual(['a.txt']);
  } finally {
    process.env.PATH = before;
  }
  expect(existsSync(canary)).toBe(false);
});

async function git(...words: readonly string[]): Promise<void> {
  await run('git', words, { cwd: root });
}
