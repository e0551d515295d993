/**
 * What a revision argument asks about, as two trees.
 *
 * | argument            | before                                   | after           |
 * | ------------------- | ---------------------------------------- | --------------- |
 * | `a..b`              | a                                        | b               |
 * | `a...b`             | the commit that a and b have in common   | b               |
 * | a branch            | the commit it has in common with HEAD    | its last commit |
 * | a stash             | the commit it was made on                | what it holds   |
 * | any other revision  | its first parent                         | that commit     |
 */
import { Failure } from '../base/failure.ts';
import { isShallow, mergeBase } from './branch.ts';
import { emptyTree, type GitRepository, referenceOf } from './git-repository.ts';

export interface RevisionChange {
  readonly kind: 'commit' | 'range' | 'branch' | 'stash';
  /** Commits, or the empty tree. */
  readonly from: string;
  readonly to: string;
}

/** Undefined if the argument names no revision of the repository. */
export async function revisionChange(
  repository: GitRepository,
  argument: string,
  signal: AbortSignal,
): Promise<RevisionChange | undefined> {
  const range = /^(.*?)(\.\.\.?)(.*)$/.exec(argument);
  if (range) return rangeChange(repository, range, signal);
  const to = await repository.commitOf(argument, signal);
  if (to === undefined) return undefined;
  const reference = await referenceOf(repository, argument, signal);
  if (reference === 'refs/stash' || /^stash@\{/.test(argument)) {
    return { kind: 'stash', from: await firstParent(repository, to, signal), to };
  }
  if (reference !== undefined && /^refs\/(?:heads|remotes|pull|merge-requests)\//.test(reference)) {
    const isCurrent = argument === 'HEAD' || argument === '@';
    if (!isCurrent) return branchChange(repository, argument, to, signal);
  }
  return { kind: 'commit', from: await firstParent(repository, to, signal), to };
}

/** A side that is left out is HEAD, as for git. */
async function rangeChange(
  repository: GitRepository,
  [, left = '', dots, right = '']: RegExpExecArray,
  signal: AbortSignal,
): Promise<RevisionChange | undefined> {
  const [one, to] = await Promise.all([
    repository.commitOf(left || 'HEAD', signal),
    repository.commitOf(right || 'HEAD', signal),
  ]);
  if (one === undefined || to === undefined) return undefined;
  if (dots === '..') return { kind: 'range', from: one, to };
  const from = await mergeBase(repository, [one, to], signal);
  if (from === undefined) throw new UnrelatedHistories(left || 'HEAD', right || 'HEAD');
  return { kind: 'range', from, to };
}

async function branchChange(
  repository: GitRepository,
  name: string,
  to: string,
  signal: AbortSignal,
): Promise<RevisionChange> {
  const from = await mergeBase(repository, [await repository.head(signal), to], signal);
  if (from === undefined) throw new UnrelatedHistories('HEAD', name);
  return { kind: 'branch', from, to };
}

async function firstParent(repository: GitRepository, commit: string, signal: AbortSignal): Promise<string> {
  const parent = await repository.commitOf(`${commit}^`, signal);
  if (parent !== undefined) return parent;
  if (await isShallow(repository, signal)) throw new ParentNotHere(commit);
  return emptyTree(repository, signal);
}

/** A shallow clone ends before the history does: what came before a commit is not known. */
class ParentNotHere extends Failure {
  readonly code = 'git/shallow-clone';
  readonly remedy =
    'Fetch more of the history: git fetch --deepen 1, or fetch-depth: 0 where a CI job checks out.';

  constructor(commit: string) {
    super(`this clone is shallow, and the parent of ${commit.slice(0, 12)} is not in it`);
  }
}

export class UnrelatedHistories extends Failure {
  readonly code = 'git/unrelated-histories';
  readonly remedy =
    'Name both sides as a range with two dots, such as main..feature. In a shallow clone, fetch more of the history first.';

  constructor(one: string, other: string) {
    super(`${one} and ${other} have no commit in common`);
  }
}
