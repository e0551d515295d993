import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { GitRepository } from '../../src/git/git-repository.ts';
import { ObjectReader } from '../../src/git/object-reader.ts';
import { publishedCommit } from '../../src/git/published-commit.ts';
import { RepositoryMirror } from '../../src/git/repository-mirror.ts';
import { CountedGit } from '../support/counted-git.ts';
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

test('mirrors in one directory fetch the same commits at the same time', async () => {
  await using place = await scratch();
  const files = Array.from({ length: 60 }, (_, index) => [`d${index}/f.txt`, `${index}\n`] as const);
  await using source = await GitWorkspace.create(Object.fromEntries(files));
  const commits = [(await source.git('rev-parse', 'HEAD')).trim()];
  for (let number = 0; number < 3; number++) {
    for (const [path] of files) await source.write(path, `${number} ${path}\n`);
    await source.git('commit', '-q', '-am', String(number));
    commits.push((await source.git('rev-parse', 'HEAD')).trim());
  }
  const options = { directory: join(place.path, 'mirror'), remote: source.root, env: process.env };
  const mirrors = await Promise.all([1, 2, 3, 4].map(() => RepositoryMirror.open(options, calm)));
  for (const commit of commits) {
    const [first = commit] = commits;
    await Promise.all(
      mirrors.map(async (mirror) => {
        await mirror.require(commit, calm);
        // All of it is here as soon as it counts as here.
        const changes = await mirror.changes({ from: commit, to: first }, calm);
        expect(changes).toHaveLength(commit === first ? 0 : files.length);
      }),
    );
  }
  await Promise.all(mirrors.map((mirror) => mirror[Symbol.asyncDispose]()));
});

test('a commit some of whose objects are here is fetched', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const commit = (await source.git('rev-parse', 'HEAD')).trim();
  const options = { directory: join(place.path, 'mirror'), remote: source.root, env: process.env };
  await using mirror = await RepositoryMirror.open(options, calm);
  const object = join('objects', commit.slice(0, 2), commit.slice(2));
  await mkdir(join(options.directory, 'objects', commit.slice(0, 2)), { recursive: true });
  await copyFile(join(source.root, '.git', object), join(options.directory, object));
  await mirror.require(commit, calm);
  await mirror.checkOut(commit, join(place.path, 'checkout'), calm);
  expect(await readFile(join(place.path, 'checkout', 'a.txt'), 'utf8')).toBe('text\n');
});

test('a checkout that a killed git has only begun blocks no later one, and a whole one stays', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const commit = (await source.git('rev-parse', 'HEAD')).trim();
  const options = { directory: join(place.path, 'mirror'), remote: source.root, env: process.env };
  await using mirror = await RepositoryMirror.open(options, calm);
  await mirror.require(commit, calm);
  await mirror.checkOut(commit, join(place.path, 'whole'), calm);
  const begun = join(options.directory, 'worktrees', 'begun');
  await mkdir(begun);
  for (const [name, text] of [
    ['gitdir', `${join(place.path, 'begun', '.git')}\n`],
    ['commondir', ''],
  ] as const)
    await writeFile(join(begun, name), text);
  await mirror.checkOut(commit, join(place.path, 'later'), calm);
  expect((await readdir(join(options.directory, 'worktrees'))).sort()).toEqual(['later', 'whole']);
});

test('of commits that are here no git is started, but one that reads their objects', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'one\n', 'b/c.txt': 'same\n' });
  const commit = async () => (await source.git('rev-parse', 'HEAD')).trim();
  const first = await commit();
  await source.write('a.txt', 'two\n');
  await source.git('commit', '-q', '-am', 'two');
  const second = await commit();
  const git = await CountedGit.in(join(place.path, 'bin'));
  const options = { directory: join(place.path, 'mirror'), remote: source.root, env: git.env };
  await using mirror = await RepositoryMirror.open(options, calm);
  const pair = { from: first, to: second };
  const read = async () => {
    const changes = await mirror.changes(pair, calm);
    const ids = changes.flatMap(({ after }) => after?.blob ?? []);
    const texts = [...(await mirror.blobs(ids, calm)).values()].map((bytes) => Buffer.from(bytes).toString());
    return changes.map(({ path }, index) => `${path} ${texts[index]}`);
  };
  expect(await git.during(() => mirror.require(first, calm))).toEqual(['cat-file', 'config', 'fetch']);
  // The reader runs already when the objects of the second commit arrive.
  expect(await git.during(() => mirror.require(second, calm))).toEqual(['fetch']);
  expect(await git.during(read)).toEqual([]);
  expect(await read()).toEqual(['a.txt two\n']);
  expect(await git.during(() => mirror.require(first, calm))).toEqual([]);
});

test('a reader whose process was killed starts another', async () => {
  await using place = await scratch();
  await using source = await GitWorkspace.create({ 'a.txt': 'text\n' });
  const commit = (await source.git('rev-parse', 'HEAD')).trim();
  const path = `${join(place.path, 'bin')}:${process.env.PATH}`;
  const env = { ...process.env, GIT_DIR: join(source.root, '.git'), PATH: path };
  const pids = join(place.path, 'pids');
  await mkdir(join(place.path, 'bin'));
  await writeFile(
    join(place.path, 'bin', 'git'),
    `#!/bin/sh\necho $$ >> ${pids}\nPATH=\${PATH#*:} exec git "$@"\n`,
  );
  await chmod(join(place.path, 'bin', 'git'), 0o755);
  await using reader = new ObjectReader(source.root, env);
  expect(await reader.read([commit, 'b'.repeat(40), commit], calm)).toMatchObject([
    { kind: 'commit' },
    undefined,
    { kind: 'commit' },
  ]);
  const [pid] = (await readFile(pids, 'utf8')).trim().split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await vi.waitFor(async () => expect(await reader.read([commit], calm)).toMatchObject([{ kind: 'commit' }]));
  expect((await readFile(pids, 'utf8')).trim().split('\n')).toHaveLength(2);
  await expect(reader.read(['HEAD'], calm)).rejects.toMatchObject({ code: 'git/failed' });
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
