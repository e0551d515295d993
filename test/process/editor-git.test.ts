/** Git in the editor: what is listed as changed, and what staging, discarding and committing do, trusted or not. */
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { GitStatus } from '../../src/editor/protocol/git.ts';
import type { EditorPage } from '../support/editor-page.ts';
import { EditorWorld, type EditorWorldOptions } from '../support/editor-world.ts';
import { gitIn } from '../support/git-workspace.ts';

const files = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'one\n',
  'sub/c.txt': 'one\n',
  '.gitignore': 'ignored.txt\n',
};

interface Opened extends AsyncDisposable {
  readonly world: EditorWorld;
  readonly page: EditorPage;
  git(...words: readonly string[]): Promise<string>;
  at(path: string): string;
}

async function open(options: EditorWorldOptions = {}): Promise<Opened> {
  const world = await EditorWorld.open({ files, git: 'committed', ...options });
  const { root } = world.scratch.workspace;
  await gitIn(root, 'config', 'user.name', 'test');
  await gitIn(root, 'config', 'user.email', 'test@localhost');
  return {
    world,
    page: await world.page(),
    git: (...words) => gitIn(root, ...words),
    at: (path) => world.scratch.at(path),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** `M a.txt` by list. */
function listed(status: GitStatus): { readonly staged: string[]; readonly unstaged: string[] } {
  if (status.kind !== 'repository') throw new Error(`git is ${status.kind}`);
  const words = ({ entries }: { entries: { path: string; kind: string }[] }): string[] =>
    entries.map(({ path, kind }) => `${kind} ${path}`);
  return { staged: words(status.staged), unstaged: words(status.unstaged) };
}

test('staged, changed, unsaved and untracked files are listed; a new time stamp is no change', async () => {
  await using opened = await open();
  const { page, git, at } = opened;
  expect(listed(await page.request('git.status', {}))).toEqual({ staged: [], unstaged: [] });
  await writeFile(at('a.txt'), 'one\n2\n');
  await git('add', 'a.txt');
  await writeFile(at('a.txt'), 'one\n3\n');
  await utimes(at('b.txt'), new Date(0), new Date(0));
  await writeFile(at('new file.txt'), 'new\n');
  await writeFile(at('ignored.txt'), 'new\n');
  const buffer = await page.open('sub/c.txt');
  await buffer.replace('one', 'unsaved');
  expect(listed(await page.request('git.status', {}))).toEqual({
    staged: ['modified a.txt'],
    unstaged: ['modified a.txt', 'untracked new file.txt', 'modified sub/c.txt'],
  });
  expect(await page.request('git.texts', { path: 'a.txt' })).toEqual({
    head: 'one\ntwo\n',
    index: 'one\n2\n',
    shown: 'one\n3\n',
    isBinary: false,
  });
  expect(await page.request('git.texts', { path: 'sub/c.txt' })).toMatchObject({ shown: 'unsaved\n' });
});

test('what happens to the repository outside is reported without a request', async () => {
  await using opened = await open();
  const { page, git, at } = opened;
  await page.event('git.changed', ({ status }) => status.kind === 'repository');
  await writeFile(at('a.txt'), 'other\n');
  await page.event('git.changed', ({ status }) => listed(status).unstaged[0] === 'modified a.txt');
  await git('add', 'a.txt');
  await page.event('git.changed', ({ status }) => listed(status).staged[0] === 'modified a.txt');
  await git('commit', '-q', '-m', 'second');
  const head = (await git('rev-parse', 'HEAD')).trim();
  await page.event('git.changed', ({ status }) => status.kind === 'repository' && status.head === head);
  await git('checkout', '-q', '-b', 'feature');
  await page.event(
    'git.changed',
    ({ status }) => status.kind === 'repository' && status.branch === 'feature',
  );
});

test('files are staged, unstaged and committed; unsaved text is refused', async () => {
  await using opened = await open();
  const { page, git, at } = opened;
  await writeFile(at('a.txt'), 'changed\n');
  await rm(at('b.txt'));
  await writeFile(at('-n $(x) [y].txt'), 'new\n');
  const buffer = await page.open('sub/c.txt');
  await buffer.replace('one', 'unsaved');
  const paths = ['a.txt', 'b.txt', '-n $(x) [y].txt'];
  await page.request('git.stage', { paths });
  expect(listed(await page.request('git.status', {}))).toEqual({
    staged: ['added -n $(x) [y].txt', 'modified a.txt', 'deleted b.txt'],
    unstaged: ['modified sub/c.txt'],
  });
  await page.request('git.unstage', { paths: ['b.txt', '-n $(x) [y].txt'] });
  expect(listed(await page.request('git.status', {}))).toEqual({
    staged: ['modified a.txt'],
    unstaged: ['untracked -n $(x) [y].txt', 'deleted b.txt', 'modified sub/c.txt'],
  });
  await expect(page.request('git.stage', { paths: ['sub/c.txt'] })).rejects.toMatchObject({
    code: 'editor/unsaved-files',
  });
  await expect(page.request('git.commit', { message: 'all', part: 'all' })).rejects.toMatchObject({
    code: 'editor/unsaved-files',
  });
  const made = await page.request('git.commit', { message: 'Change a\n\nWhy.\n', part: 'staged' });
  expect(made).toMatchObject({ files: 1, hooks: 'none' });
  expect(await git('show', '--format=%B', '--name-status', 'HEAD')).toBe('Change a\n\nWhy.\n\n\nM\ta.txt\n');
  await page.request('buffer.save', { paths: ['sub/c.txt'] });
  await page.request('git.commit', { message: 'The rest', part: 'all' });
  expect(listed(await page.request('git.status', {}))).toEqual({ staged: [], unstaged: [] });
  expect(await git('status', '--porcelain')).toBe('');
  await expect(page.request('git.commit', { message: 'None', part: 'all' })).rejects.toMatchObject({
    code: 'editor/nothing-staged',
  });
});

test('a discard restores what the index has, and keeps what was there as a what-if', async () => {
  await using opened = await open();
  const { page, git, at } = opened;
  await writeFile(at('a.txt'), 'staged\n');
  await git('add', 'a.txt');
  await writeFile(at('a.txt'), 'on disk\n');
  await rm(at('b.txt'));
  await writeFile(at('new.txt'), 'new\n');
  const buffer = await page.open('a.txt');
  await buffer.replace('on disk', 'unsaved');
  const { whatIf } = await page.request('git.discard', { paths: ['a.txt', 'b.txt', 'new.txt'] });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('staged\n');
  expect(await readFile(at('b.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(at('new.txt'))).toBe(false);
  await buffer.pull();
  expect(buffer.text).toBe('staged\n');
  expect(listed(await page.request('git.status', {}))).toEqual({ staged: ['modified a.txt'], unstaged: [] });
  await page.event('whatif.changed', ({ rows }) => rows.some(({ id }) => id === whatIf));
  expect(await page.request('whatif.commit', { id: whatIf ?? '' })).toMatchObject({ kind: 'done' });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('unsaved\n');
  expect(await readFile(at('new.txt'), 'utf8')).toBe('new\n');
});

test('a folder below the top of its repository has its own names, and counts what else is staged', async () => {
  await using opened = await open({ folder: 'sub' });
  const { page, git, at } = opened;
  await writeFile(at('sub/c.txt'), 'changed\n');
  await writeFile(at('a.txt'), 'changed\n');
  await git('add', '-A');
  const status = await page.request('git.status', {});
  expect(listed(status)).toEqual({ staged: ['modified c.txt'], unstaged: [] });
  expect(status).toMatchObject({ stagedOutside: 1 });
  await page.request('git.unstage', { paths: ['c.txt'] });
  expect(listed(await page.request('git.status', {})).unstaged).toEqual(['modified c.txt']);
  await page.request('git.discard', { paths: ['c.txt'] });
  expect(await readFile(at('sub/c.txt'), 'utf8')).toBe('one\n');
});

/** A repository that configures programs, each of which leaves a file behind when it runs. */
async function armed({ git, at }: Opened): Promise<string> {
  const canary = at('.git/canary');
  const program = at('.git/program.sh');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`);
  await chmod(program, 0o755);
  for (const hook of [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'reference-transaction',
    'post-index-change',
  ]) {
    await writeFile(at(`.git/hooks/${hook}`), `#!/bin/sh\necho "$0" >> '${canary}'\n`);
    await chmod(at(`.git/hooks/${hook}`), 0o755);
  }
  await git('config', 'core.fsmonitor', program);
  await git('config', 'gpg.program', program);
  await git('config', 'commit.gpgSign', 'true');
  await git('config', 'filter.own.clean', program);
  await git('config', 'filter.own.smudge', program);
  await writeFile(at('.git/info/attributes'), '*.own filter=own\n');
  await rm(canary, { force: true });
  return canary;
}

test('without trust no program of the repository runs, and the answer says so', async () => {
  await using opened = await open();
  const { page, at } = opened;
  const canary = await armed(opened);
  await writeFile(at('a.txt'), 'changed\n');
  await writeFile(at('x.own'), 'filtered\n');
  expect(await page.request('git.status', {})).toMatchObject({
    hooks: ['pre-commit', 'commit-msg', 'post-commit'],
  });
  await page.request('git.stage', { paths: ['a.txt'] });
  await page.request('git.unstage', { paths: ['a.txt'] });
  await page.request('git.stage', { paths: ['a.txt'] });
  await expect(page.request('git.stage', { paths: ['x.own'] })).rejects.toMatchObject({
    code: 'git/filter-withheld',
  });
  const made = await page.request('git.commit', { message: 'one', part: 'staged' });
  expect(made.hooks).toBe('withheld');
  await writeFile(at('a.txt'), 'again\n');
  await page.request('git.discard', { paths: ['a.txt'] });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('changed\n');
  expect(existsSync(canary)).toBe(false);
});

test('with trust filters and hooks run, and a hook that refuses is quoted', async () => {
  await using opened = await open({ trust: 'trusted' });
  const { page, git, at } = opened;
  const canary = await armed(opened);
  await git('config', 'commit.gpgSign', 'false');
  await git('config', '--unset', 'core.fsmonitor');
  await writeFile(at('x.own'), 'filtered\n');
  await page.request('git.stage', { paths: ['x.own'] });
  expect(await readFile(canary, 'utf8')).toContain('program.sh');
  expect((await page.request('git.commit', { message: 'one', part: 'staged' })).hooks).toBe('ran');
  expect(await readFile(canary, 'utf8')).toContain('pre-commit');
  await writeFile(at('.git/hooks/pre-commit'), '#!/bin/sh\necho "tests fail" >&2\nexit 1\n');
  await writeFile(at('a.txt'), 'changed\n');
  await expect(page.request('git.commit', { message: 'two', part: 'all' })).rejects.toThrow('tests fail');
  expect(listed(await page.request('git.status', {})).staged).toEqual(['modified a.txt']);
});

test('line ends that git converts are restored as the working tree has them', async () => {
  await using opened = await open();
  const { page, git, at } = opened;
  await writeFile(at('.gitattributes'), '*.crlf text eol=crlf\n');
  await writeFile(at('x.crlf'), 'one\r\n');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'crlf');
  await writeFile(at('x.crlf'), 'two\r\n');
  await page.request('git.discard', { paths: ['x.crlf'] });
  expect(await readFile(at('x.crlf'), 'utf8')).toBe('one\r\n');
});

test('without a repository the state says so, and a repository that is made later is found', async () => {
  await using world = await EditorWorld.open({ files });
  const page = await world.page();
  expect(await page.request('git.status', {})).toMatchObject({ kind: 'none' });
  await gitIn(world.scratch.workspace.root, 'init', '-q', '-b', 'main');
  const status = await page.request('git.status', {});
  expect(status).toMatchObject({ kind: 'repository', branch: 'main' });
  expect(listed(status).unstaged).toContain('untracked a.txt');
});
