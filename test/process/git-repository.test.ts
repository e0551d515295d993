import { existsSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listedFiles } from '../../src/git/file-state.ts';
import { GitRepository } from '../../src/git/git-repository.ts';
import { CountedGit } from '../support/counted-git.ts';
import { commitAll, GitWorkspace, gitIn } from '../support/git-workspace.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { calm } from '../support/world.ts';

test('a repository asks for its places and its settings once, however much it is asked', async () => {
  await using workspace = await GitWorkspace.create({ 'a.txt': 'one\n' });
  await using beside = await ScratchWorkspace.create();
  const git = await CountedGit.in(beside.at('bin'));
  const env = { ...git.env, HOME: beside.workspace.root };
  const asked = await git.during(async () => {
    const repository = await GitRepository.at(workspace.root, env, calm);
    await Promise.all([listedFiles(repository, calm), repository.commitOf('HEAD', calm)]);
    await listedFiles(repository, calm);
  });
  expect(asked).toEqual(['config', 'ls-files', 'ls-files', 'rev-parse', 'rev-parse']);
});

test('a filter that is configured between two commands does not run', async () => {
  await using workspace = await GitWorkspace.create({
    '.gitattributes': '*.txt filter=mark\n',
    'a.txt': 'one\n',
  });
  const repository = await GitRepository.at(workspace.root, process.env, calm);
  await listedFiles(repository, calm);
  const mark = workspace.at('mark');
  await appendFile(
    join(repository.gitDirectory, 'config'),
    `[filter "mark"]\n\tsmudge = "touch '${mark}'; cat"\n`,
  );
  const blob = (await workspace.git('rev-parse', 'HEAD:a.txt')).trim();
  const read = await repository.checkedOut({ blob, path: 'a.txt' }, undefined, calm);
  expect(Buffer.from(read).toString()).toBe('one\n');
  expect(await workspace.git('status', '--porcelain')).not.toContain('mark');
});

test('a filter of another repository that takes the place of a linked one does not run', async () => {
  await using workspace = await GitWorkspace.create({
    '.gitattributes': '*.txt filter=mark\n',
    'a.txt': 'one\n',
  });
  await using beside = await ScratchWorkspace.create();
  const linked = beside.at('linked');
  await workspace.git('worktree', 'add', '-q', '--detach', linked);
  const repository = await GitRepository.at(linked, process.env, calm);
  await listedFiles(repository, calm);
  await rm(join(linked, '.git'));
  await commitAll(linked);
  const mark = beside.at('mark');
  await appendFile(join(linked, '.git', 'config'), `[filter "mark"]\n\tsmudge = "touch '${mark}'; cat"\n`);
  const blob = (await gitIn(linked, 'rev-parse', 'HEAD:a.txt')).trim();
  const read = await repository.checkedOut({ blob, path: 'a.txt' }, undefined, calm);
  expect(Buffer.from(read).toString()).toBe('one\n');
  expect(existsSync(mark)).toBe(false);
});
