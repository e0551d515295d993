/** What of a repository can be merged: its branches, those of its remotes, and its other working trees. */

import { currentBranch } from './branch.ts';
import { GitFailed, type GitRepository } from './git-repository.ts';

export interface MergeCandidate {
  readonly kind: 'branch' | 'remote' | 'worktree';
  /** The branch, or the directory of the working tree. */
  readonly name: string;
  /** The branch that is checked out in a working tree. */
  readonly branch?: string;
  /** Who made its last commit, and when, in milliseconds since the epoch. */
  readonly author?: string;
  readonly at?: number;
}

/** The newest first; the current branch and this working tree are left out. */
export async function mergeCandidates(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly MergeCandidate[]> {
  const [current, references, worktrees] = await Promise.all([
    currentBranch(repository, signal),
    listedBy(repository, [...branchListing], signal),
    listedBy(repository, ['worktree', 'list', '--porcelain', '-z'], signal),
  ]);
  const branches = references.split('\n').flatMap((line) => candidateIn(line));
  const local = new Set(branches.flatMap(({ kind, name }) => (kind === 'branch' ? [name] : [])));
  const isNew = ({ kind, name }: MergeCandidate): boolean =>
    kind === 'branch' ? name !== current : !local.has(name.slice(name.indexOf('/') + 1));
  return [...worktreesIn(worktrees, repository.top), ...branches.filter(isNew)];
}

const branchListing = [
  'for-each-ref',
  '--sort=-committerdate',
  '--format=%(refname)%00%(symref)%00%(committerdate:unix)%00%(authorname)',
  'refs/heads',
  'refs/remotes',
] as const;

/** The name of a remote's default branch is a reference to another one. */
function candidateIn(line: string): readonly MergeCandidate[] {
  const [reference = '', symbolic = '', seconds = '', author = ''] = line.split('\0');
  const [, kind, name] = /^refs\/(heads|remotes)\/(.+)$/s.exec(reference) ?? [];
  if (kind === undefined || name === undefined || symbolic !== '') return [];
  return [{ kind: kind === 'heads' ? 'branch' : 'remote', name, author, at: Number(seconds) * 1000 }];
}

function worktreesIn(listed: string, own: string): readonly MergeCandidate[] {
  return listed.split('\0\0').flatMap((entry) => {
    const fields = entry.split('\0');
    const field = (key: string): string | undefined =>
      fields.find((each) => each.startsWith(`${key} `))?.slice(key.length + 1);
    const name = field('worktree');
    const isGone = fields.some((each) => each === 'bare' || each.startsWith('prunable'));
    if (name === undefined || name === own || isGone) return [];
    const branch = field('branch')?.replace(/^refs\/heads\//, '');
    return [{ kind: 'worktree' as const, name, ...(branch !== undefined && { branch }) }];
  });
}

async function listedBy(
  repository: GitRepository,
  words: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<string> {
  const { code, stdout, stderr } = await repository.answer(words, {}, signal);
  if (code !== 0)
    throw new GitFailed(stderr.trim().split('\n', 1)[0] || `${words[0]} ended with code ${code}`);
  return stdout;
}
