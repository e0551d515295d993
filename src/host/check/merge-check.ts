/**
 * Judges a merge before it happens: branches, other working trees and sessions, on a common target.
 *
 * Invariant: nothing is checked out, and nothing is written to the repository.
 */
import type { OverlayCheck } from '../../evaluation/evaluator.ts';
import { evaluateMerge, type MergeEvaluation } from '../../evaluation/merge-evaluation.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { MergeObjects } from '../../git/merge-objects.ts';
import { GitMergeSource } from '../../git/merge-source.ts';
import { worktreeCommit } from '../../git/worktree-state.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Forerun } from '../forerun.ts';
import { type ChangeCheckOptions, judgeOverlay } from './patch-check.ts';
import { isWorktreeDirectory, UnknownRevision } from './revision-check.ts';

export interface MergeRequest extends ChangeCheckOptions {
  /** Branches and other revisions, or directories of other working trees, whose uncommitted changes count. */
  readonly sides: readonly string[];
  /** What they are merged onto; absent: HEAD. */
  readonly onto?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface MergeCheck extends MergeEvaluation {
  readonly workspace: Workspace;
  readonly onto: string;
}

export async function checkMerge(
  forerun: Forerun,
  request: MergeRequest,
  signal: AbortSignal,
): Promise<MergeCheck> {
  const { root, env, onto = 'HEAD', onProgress } = request;
  await using objects = await MergeObjects.open(await GitRepository.at(root, env, signal), signal);
  const { live, workspace } = await forerun.workspaces.open(root, signal);
  const target = await commitOf(objects.repository, onto, signal);
  const sides = await Promise.all(
    request.sides.map(async (name) => ({ name, commit: await sideCommit(objects, name, env, signal) })),
  );
  const source = new GitMergeSource({ objects, workspace, disk: live.emptyOverlay(), target, sides });
  const judge = (overlay: Overlay): Promise<OverlayCheck> =>
    judgeLayer(forerun, { ...request, live, overlay }, signal);
  const progress = ({ done, of }: { readonly done: number; readonly of: number }) =>
    onProgress(`${done} of ${of} judged`);
  const evaluation = await evaluateMerge(source, { judge, onProgress: progress }, signal);
  return { ...evaluation, workspace, onto };
}

/** What changes no file breaks none: a branch that the target has already. */
async function judgeLayer(
  forerun: Forerun,
  asked: Omit<Parameters<typeof judgeOverlay>[1], 'against' | 'judged'>,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  const changes = await asked.overlay.changes();
  if (changes.length === 0) return { changed: [], verdict: { kind: 'clean' }, evaluations: [], unjudged: [] };
  return judgeOverlay(
    forerun,
    { ...asked, onProgress: () => {}, against: 'beneath', judged: 'revision' },
    signal,
  );
}

async function sideCommit(
  objects: MergeObjects,
  name: string,
  env: MergeRequest['env'],
  signal: AbortSignal,
): Promise<string> {
  if (!(await isWorktreeDirectory(name))) return commitOf(objects.repository, name, signal);
  const other = await GitRepository.at(name, env, signal);
  const [here, there] = await Promise.all([
    objects.repository.commonDirectory(signal),
    other.commonDirectory(signal),
  ]);
  if (here !== there) throw new UnknownRevision(name);
  return worktreeCommit(objects, other, signal);
}

async function commitOf(repository: GitRepository, revision: string, signal: AbortSignal): Promise<string> {
  const commit = await repository.commitOf(revision, signal);
  if (commit === undefined) throw new UnknownRevision(revision);
  return commit;
}
