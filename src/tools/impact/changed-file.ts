/**
 * The changed files according to git.
 *
 * Invariant: git's arguments are fixed; text from a caller is only ever a revision.
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
  /** The user's environment. */
  readonly env: Environment;
}

/** Paths relative to `directory`, which lies in a repository; deleted files are excluded. */
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

/** `A..B` unchanged; a single revision means the changes of that commit. */
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
  // Running git must execute nothing of the workspace, whether it is trusted or not.
  const outside = environmentOutside(env, extentOf(directory, env));
  const result = await runGit({ directory, words, env: outside, timeoutMs, maxOutputBytes }, signal);
  if (result.timedOut) throw new GitFailed(`no answer within ${timeoutMs} ms`);
  if (result.code !== 0) throw new GitFailed(saidBy(result.stderr) || `exit code ${result.code}`);
  return result.stdout.split('\0').filter((path) => path !== '');
}

/** The first line of git's error. Outside of a repository, git prints its usage after it. */
function saidBy(stderr: string): string {
  return stderr.trim().split('\n', 1)[0] ?? '';
}
