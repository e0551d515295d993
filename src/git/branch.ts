/** Branches of a repository, what their histories have in common, and where they are checked out. */
import type { GitRepository } from './git-repository.ts';

/** The name of the current branch; undefined if the head names a commit. */
export async function currentBranch(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<string | undefined> {
  const words = ['symbolic-ref', '--quiet', '--short', 'HEAD'] as const;
  const { code, stdout } = await repository.answer([...words], {}, signal);
  return code === 0 ? stdout.trim() : undefined;
}

/** The commit that two histories have in common; undefined if there is none. */
export async function mergeBase(
  repository: GitRepository,
  [one, other]: readonly [string, string],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { code, stdout } = await repository.answer(['merge-base', one, other], {}, signal);
  return code === 0 ? stdout.trim() : undefined;
}

/** The directories of all working trees of this repository, the main one first. */
export async function worktreesOf(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await repository.text(['worktree', 'list', '--porcelain', '-z'], signal);
  return listed.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0');
    const isTree = lines.every((line) => line !== 'bare' && !/^prunable\b/.test(line));
    return isTree ? lines.flatMap((line) => /^worktree (.*)$/s.exec(line)?.[1] ?? []) : [];
  });
}

/** Whether the clone lacks commits that others descend from. */
export async function isShallow(repository: GitRepository, signal: AbortSignal): Promise<boolean> {
  return (await repository.text(['rev-parse', '--is-shallow-repository'], signal)).trim() === 'true';
}
