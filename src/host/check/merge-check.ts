/**
 * Judges a merge before it happens: branches, working trees and sessions, on a common target.
 *
 * Invariant: nothing is checked out, and nothing is written to the repository.
 */
import { layerJudge } from '../../merge/layer-judge.ts';
import type { Composition, JudgedPart, MergeEvaluation } from '../../merge/merge-evaluation.ts';
import { composeRevisions, type MergeQuestion, mergeRevisions } from '../../merge/revision-merge.ts';
import { Sessions } from '../../session/sessions.ts';
import { statePlaces } from '../../storage/own-places.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Forerun } from '../forerun.ts';
import type { ChangeCheckOptions } from './patch-check.ts';

export interface MergeRequest extends ChangeCheckOptions {
  /** Branches and other revisions, directories of working trees, sessions; see `mergeRevisions`. */
  readonly sides: readonly string[];
  /** What they are merged onto; absent: HEAD. */
  readonly onto?: string | undefined;
  /** Where the directories among the sides count from. */
  readonly directory: string;
  /** Receives each side and pair as soon as it is judged. */
  readonly onJudged?: (part: JudgedPart) => void;
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
  const { scope, timeoutMs, onProgress } = request;
  const question = await mergeQuestion(forerun, request, signal);
  const { workspace, onto } = question;
  const { live } = await forerun.workspaces.open(request.root, signal);
  const evaluation = await mergeRevisions(
    {
      ...question,
      disk: live.emptyOverlay(),
      judge: layerJudge(forerun.evaluatorOf(live), { workspace, scope, timeoutMs }),
      parallel: forerun.parallelEvaluations,
      onProgress: ({ done, of, latest }) => {
        onProgress(`${done} of ${of} judged`);
        request.onJudged?.(latest);
      },
    },
    signal,
  );
  return { ...evaluation, workspace, onto };
}

/** What merging the sides would do to the files on disk; nothing is judged. */
export async function composeMerge(
  forerun: Forerun,
  request: Pick<MergeRequest, 'root' | 'directory' | 'env' | 'sides'>,
  signal: AbortSignal,
): Promise<Composition> {
  const question = await mergeQuestion(forerun, request, signal);
  const { live } = await forerun.workspaces.open(request.root, signal);
  return composeRevisions({ ...question, disk: live.emptyOverlay() }, signal);
}

/** Sessions of every process of the user can be sides. */
export async function mergeQuestion(
  { workspaces, log }: Forerun,
  {
    root,
    directory,
    env,
    sides,
    onto = 'HEAD',
  }: Pick<MergeRequest, 'root' | 'directory' | 'env' | 'sides' | 'onto'>,
  signal: AbortSignal,
): Promise<MergeQuestion> {
  const { workspace } = await workspaces.open(root, signal);
  const archiveDirectory = statePlaces.sessions(stateDirectory(env));
  const stored = new Sessions({ workspaces, log, archiveDirectory });
  return {
    workspace,
    sides,
    onto,
    directory,
    requireServed: (asked) => workspaces.locator.requireServed(asked),
    session: (id, whileAsking) => stored.reach(id, whileAsking),
    env,
  };
}
