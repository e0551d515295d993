import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '../../src/git/git-repository.ts';
import { publishedCommit } from '../../src/git/published-commit.ts';
import { RepositoryMirror } from '../../src/git/repository-mirror.ts';
import { GitWorkspace, gitIn } from '../support/git-workspace.ts';
import { calm } from '../support/world.ts';

async function scratch(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'forerun-mirror-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('a checkout has the files of its commit, and no program of a configuration runs for it', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({
    'a.txt': 'as committed\n',
    '.gitattributes': '*.txt filter=loud\n',
  });
  // The user's own configuration names a filter and a directory of hooks; the repository chooses the filter.
  const home = join(place.path, 'home');
  await mkdir(join(home, 'hooks'), { recursive: true });
  const hook = `#!/bin/sh\ntouch ${join(place.path, 'hook-ran')}\n`;
  await writeFile(join(home, 'hooks', 'post-checkout'), hook);
  await chmod(join(home, 'hooks', 'post-checkout'), 0o755);
  const filter = `[filter "loud"]\n\tsmudge = touch ${join(place.path, 'filter-ran')}; cat\n`;
  await writeFile(join(home, '.gitconfig'), `${filter}[core]\n\thooksPath = ${join(home, 'hooks')}\n`);
  const env = { ...process.env, HOME: home };
  const commit = (await source.git('rev-parse', 'HEAD')).trim();
  const mirror = await RepositoryMirror.open(
    { directory: join(place.path, 'mirror'), remote: source.root, env },
    calm,
  );
  await mirror.require(commit, calm);
  await mirror.checkOut(commit, join(place.path, 'checkout'), calm);
  expect(await readFile(join(place.path, 'checkout', 'a.txt'), 'utf8')).toBe('as committed\n');
  expect((await readdir(place.path)).sort()).toEqual(['checkout', 'home', 'mirror']);
});

test.each<[string, string, string]>([
  ['a commit that the remote does not have', 'b'.repeat(40), 'here'],
  ['a word that git would read as an option', '--upload-pack=touch /tmp/x', 'here'],
  ['a branch, which may change', 'main', 'here'],
  ['a remote that starts a program', 'b'.repeat(40), 'ext::sh -c touch% ran'],
  ['a remote that git would read as an option', 'b'.repeat(40), '--upload-pack=touch ran'],
])('%s is refused by name', async (_, commit, remote) => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const options = { directory: join(place.path, 'mirror'), remote: remote === 'here' ? source.root : remote };
  const mirror = await RepositoryMirror.open({ ...options, env: process.env }, calm);
  await expect(mirror.require(commit, calm)).rejects.toMatchObject({ code: 'git/commit-not-found' });
  expect(await readdir(place.path)).toEqual(['mirror']);
});

test('what a killed git has locked in a mirror blocks no later worker', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const commit = (await source.git('rev-parse', 'HEAD')).trim();
  const options = { directory: join(place.path, 'mirror'), remote: source.root, env: process.env };
  await RepositoryMirror.open(options, calm);
  await mkdir(join(options.directory, 'refs/forerun'), { recursive: true });
  for (const name of ['config.lock', `refs/forerun/${commit}.lock`])
    await writeFile(join(options.directory, name), '');
  const mirrors = await Promise.all([1, 2, 3].map(() => RepositoryMirror.open(options, calm)));
  await Promise.all(mirrors.map((mirror) => mirror.require(commit, calm)));
  await Promise.all(
    mirrors.map((mirror, index) => mirror.checkOut(commit, join(place.path, `checkout-${index}`), calm)),
  );
  expect(await readFile(join(place.path, 'checkout-2', 'a.txt'), 'utf8')).toBe('text\n');
  expect((await readdir(place.path)).sort()).toEqual(['checkout-0', 'checkout-1', 'checkout-2', 'mirror']);
});

test('the published commit is the newest that the remote has, and its address has no credentials', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const clone = join(place.path, 'clone');
  await gitIn(place.path, 'clone', '-q', source.root, clone);
  const first = (await gitIn(clone, 'rev-parse', 'HEAD')).trim();
  await gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'second');
  await gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'third');
  await gitIn(clone, 'remote', 'set-url', 'origin', 'https://ada:word@git.example/app.git');
  const published = await publishedCommit(await GitRepository.at(clone, process.env, calm), calm);
  expect(published).toEqual({ remote: 'https://git.example/app.git', commit: first });
  const own = await publishedCommit(await GitRepository.at(source.root, process.env, calm), calm);
  expect(own).toEqual({ remote: join(source.root, '.git'), commit: first });
});

test('a repository without a commit that others have is refused by name', async () => {
  await using place = await scratch();
  await gitIn(place.path, 'init', '-q');
  const empty = await GitRepository.at(place.path, process.env, calm);
  await expect(publishedCommit(empty, calm)).rejects.toMatchObject({ code: 'git/nothing-published' });
  await gitIn(place.path, 'commit', '-q', '--allow-empty', '-m', 'first');
  await gitIn(place.path, 'remote', 'add', 'origin', 'https://git.example/app.git');
  await expect(publishedCommit(empty, calm)).rejects.toMatchObject({ code: 'git/nothing-published' });
});
