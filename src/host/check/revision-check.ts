/**
 * Judges what git already has: a commit, a range, a branch, a stash, or another working tree of the repository.
 *
 * Invariant: nothing is checked out. Both states are overlays on what is on disk, made from git's objects.
 */
import { stat } from 'node:fs/promises';
import { Failure } from '../../base/failure.ts';
import { mergeBase } from '../../git/branch.ts';
import { changesBetween, changesOnDisk } from '../../git/file-state.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { type MovedSubmodule, movedSubmodules, visibleSubmodules } from '../../git/moved-submodule.ts';
import { changesOverlay, treeOverlay } from '../../git/repository-overlay.ts';
import { revisionChange, UnrelatedHistories } from '../../git/revision-change.ts';
import { worktreeEntries } from '../../git/worktree-state.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Forerun } from '../forerun.ts';
import {
  type ChangeCheckOptions,
  judgeOverlay,
  NothingToJudge,
  OnlySubmodules,
  type PatchCheck,
} from './patch-check.ts';

export interface RevisionRequest extends ChangeCheckOptions {
  /** A revision, a range, or the directory of another working tree. */
  readonly revision: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function checkRevision(
  forerun: Forerun,
  request: RevisionRequest,
  signal: AbortSignal,
): Promise<PatchCheck> {
  const { revision, env, root } = request;
  const repository = await GitRepository.at(root, env, signal);
  const { live, workspace } = await forerun.workspaces.open(root, signal);
  const disk = live.emptyOverlay();
  const states = (await isWorktreeDirectory(revision)) ? worktreeOverlay : revisionOverlay;
  const { overlay, moved } = await states(repository, { revision, env, workspace, disk }, signal);
  if ((await overlay.changes()).length === 0) {
    if (moved.length > 0) throw new OnlySubmodules(moved);
    throw new NothingToJudge(`${revision} changes no file in ${workspace.root}`);
  }
  const submodules = visibleSubmodules(repository, { moved, workspace });
  const asked = { ...request, live, overlay, against: 'beneath', judged: 'revision', submodules } as const;
  return judgeOverlay(forerun, asked, signal);
}

interface Asked extends Pick<RevisionRequest, 'revision' | 'env'> {
  readonly workspace: Workspace;
  /** An overlay without changes. */
  readonly disk: Overlay;
}

interface RevisionStates {
  /** Both states; the base is the one before. */
  readonly overlay: Overlay;
  readonly moved: readonly MovedSubmodule[];
}

async function revisionOverlay(
  repository: GitRepository,
  { revision, workspace, disk }: Asked,
  signal: AbortSignal,
): Promise<RevisionStates> {
  const change = await revisionChange(repository, revision, signal);
  if (!change) throw new UnknownRevision(revision);
  const { from, to } = change;
  const base = await treeOverlay(repository, { tree: from, workspace, disk }, signal);
  const overlay = await changesOverlay(repository, { from, to, workspace, base }, signal);
  return { overlay, moved: movedSubmodules(await changesBetween(repository, { from, to }, signal)) };
}

/** Everything that the working tree has and the commit it has in common with HEAD has not. */
async function worktreeOverlay(
  repository: GitRepository,
  { revision: directory, env, workspace, disk }: Asked,
  signal: AbortSignal,
): Promise<RevisionStates> {
  const other = await GitRepository.at(directory, env, signal);
  if (repository.commonDirectory !== other.commonDirectory) throw new UnknownRevision(directory);
  const to = await other.head(signal);
  const from = await mergeBase(repository, [await repository.head(signal), to], signal);
  if (from === undefined) throw new UnrelatedHistories('HEAD', directory);
  const base = await treeOverlay(repository, { tree: from, workspace, disk }, signal);
  const committed = await changesOverlay(repository, { from, to, workspace, base }, signal);
  const overlay = committed.writeAll(await worktreeEntries(repository, { other, workspace }, signal));
  return { overlay, moved: movedSubmodules(await changesOnDisk(other, from, signal)) };
}

export async function isWorktreeDirectory(argument: string): Promise<boolean> {
  return (await stat(argument).catch(() => undefined))?.isDirectory() === true;
}

export class UnknownRevision extends Failure {
  readonly code = 'cli/unknown-revision';
  readonly remedy =
    'Give a patch file, - for standard input, a commit, a range such as main...feature, a branch, stash@{0}, or the directory of another working tree of this repository. A shallow clone has only its newest commits.';

  constructor(argument: string) {
    super(`cannot read ${argument}: it is neither a file nor a revision of this repository`);
  }
}
