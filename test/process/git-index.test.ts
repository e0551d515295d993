/** A repository whose index is no file is answered at once: git would wait for a pipe until its time is up. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runGit } from '../../src/process/git-command.ts';
import { GitWorkspace } from '../support/git-workspace.ts';

const never = new AbortController().signal;

test.each([
  ['status', '--porcelain'],
  ['diff', '--name-only'],
  ['diff-index', '--raw', 'HEAD'],
  ['diff-files', '--raw'],
  ['ls-files', '--others'],
] as const)('git %s', async (...words) => {
  await using tree = await GitWorkspace.create({ 'a.ts': 'export const a = 1;\n' });
  const run = {
    directory: tree.root,
    words,
    env: { PATH: process.env.PATH },
    timeoutMs: 60_000,
    maxOutputBytes: 10_000,
  };
  expect(await runGit({ ...run, words: [...words] }, never)).toMatchObject({ code: 0 });
  await rm(tree.at('.git/index'));
  await promisify(execFile)('mkfifo', [tree.at('.git/index')]);
  const answer = await runGit({ ...run, words: [...words] }, never);
  expect(answer).toMatchObject({ code: 128, stderr: 'the index of the repository is not a regular file' });
});
