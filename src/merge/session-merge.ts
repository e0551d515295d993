/**
 * Sessions of one workspace, merged onto its files as they are on disk. The workspace need not be in a repository.
 *
 * Invariant: nothing is written but objects in a scratch directory.
 */
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { MergeObjects, type MergeOutcome } from '../git/merge-objects.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  evaluateMerge,
  type JudgeLayer,
  type MergeEvaluation,
  type MergeProgress,
} from './merge-evaluation.ts';
import { CommitMergeSource } from './merge-source.ts';
import { type MergedSession, type SessionEntries, sessionEntries } from './session-entry.ts';

export interface SessionMerge {
  readonly workspace: Workspace;
  /** The files on disk, without changes. */
  readonly disk: Overlay;
  readonly sessions: readonly MergedSession[];
  readonly env: Environment;
  readonly judge: JudgeLayer;
  readonly onProgress: (progress: MergeProgress) => void;
}

export interface ComposedSessions extends MergeEvaluation {
  /** What the sessions of the train do together, as one change to the disk. */
  readonly composed: Overlay;
}

export async function mergeSessions(request: SessionMerge, signal: AbortSignal): Promise<ComposedSessions> {
  const { workspace, disk, sessions, env, judge, onProgress } = request;
  const apart = sessions.filter((session) => session.workspace.root !== workspace.root);
  if (apart.length > 0) throw new SessionsApart(apart.map(({ id }) => id));
  await using objects = await MergeObjects.apart(workspace.root, env, signal);
  const held = await Promise.all(sessions.map(sessionEntries));
  const target = await objects.commitOf(
    undefined,
    held.flatMap(({ before }) => before),
    signal,
  );
  const sides: { name: string; side: MergeOutcome }[] = [];
  for (const [index, session] of sessions.entries()) {
    const side = await sideOf(objects, { target, held: held[index] }, signal);
    sides.push({ name: session.id, side });
  }
  const source = new CommitMergeSource({ objects, workspace, target, base: disk, sides });
  const evaluation = await evaluateMerge(source, { judge, onProgress }, signal);
  const composed = await source.merged(evaluation.train.order, signal);
  return { ...evaluation, composed };
}

async function sideOf(
  objects: MergeObjects,
  { target, held }: { readonly target: string; readonly held: SessionEntries | undefined },
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const { stale = [], entries = [] } = held ?? {};
  if (stale.length > 0) return { kind: 'conflict', paths: stale };
  return { kind: 'merged', commit: await objects.commitOf(target, entries, signal) };
}

export class SessionsApart extends Failure {
  readonly code = 'merge/sessions-apart';
  readonly remedy =
    'Compose sessions of one workspace. Sessions in several working trees of one repository are sides of a merge.';

  constructor(ids: readonly string[]) {
    super(`these sessions belong to another workspace: ${ids.join(', ')}`);
  }
}
