/**
 * The files git says have changed.
 *
 * Invariant: git is told what to do by words of ours; what a caller wrote can only ever be a revision.
 */

import type { Environment } from '../../base/environment.ts';
import { Failure } from '../../base/failure.ts';
import { type GitRun, runGit } from '../../process/git-command.ts';
import { environmentOutside } from '../../workspace/outside-environment.ts';
import { extentOf } from '../../workspace/supplied-path.ts';
import { InvalidArgument } from '../failure.ts';

export type ChangeScope = 'unstaged' | 'staged' | 'committed';

export interface ChangedFilesRequest {
  readonly scope: ChangeScope;
  readonly range?: string | undefined;
  /** The environment of the user. */
  readonly env: Environment;
}

/** Paths relative to `directory`, which lies in a repository; files that are gone are left out. */
export async function changedFiles(
  directory: string,
  { scope, range, env }: ChangedFilesRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const git = (words: GitRun['words']): Promise<readonly string[]> =>
    namesBy({ directory, words, env }, signal);
  const diff = ['diff', '--name-only', '-z', '--relative', '--diff-filter=d'] as const;
  switch (scope) {
    case 'staged':
      return git([...diff, '--cached', '--']);
    case 'committed':
      return git([...diff, revisions(range), '--']);
    case 'unstaged': {
      const untracked = ['ls-files', '--others', '--exclude-standard', '-z', '--'] as const;
      const lists = [await git([...diff, '--']), await git(untracked)];
      return [...new Set(lists.flat())];
    }
  }
}

/** `A..B` as it is; a single revision means what it changed. */
export function revisions(range: string | undefined): string {
  const asked = range?.trim() || 'HEAD';
  if (asked.startsWith('-')) {
    throw new InvalidArgument(
      `range "${asked}" must not begin with "-"`,
      'Give a revision, or two joined by "..".',
    );
  }
  return asked.includes('..') ? asked : `${asked}~1..${asked}`;
}

class GitFailed extends Failure {
  readonly code = 'tools/git-failed';
  readonly remedy =
    'Check that workspace_root lies in a git repository and that the revisions of range exist.';

  constructor(said: string) {
    super(`git diff failed: ${said}`);
  }
}

const timeoutMs = 30_000;
const maxOutputBytes = 8 * 1024 * 1024;

async function namesBy(
  { directory, words, env }: Pick<GitRun, 'directory' | 'words'> & Pick<ChangedFilesRequest, 'env'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Whoever trusts the workspace, looking at it runs nothing of it.
  const outside = environmentOutside(env, extentOf(directory, env));
  const result = await runGit({ directory, words, env: outside, timeoutMs, maxOutputBytes }, signal);
  if (result.timedOut) throw new GitFailed(`no answer within ${timeoutMs} ms`);
  if (result.code !== 0) throw new GitFailed(saidBy(result.stderr) || `exit code ${result.code}`);
  return result.stdout.split('\0').filter((path) => path !== '');
}

/** The first line says what is wrong; outside of a repository a page on how to use git follows. */
function saidBy(stderr: string): string {
  return stderr.trim().split('\n', 1)[0] ?? '';
}
