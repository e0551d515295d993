/**
 * Branches, working trees and sessions of one repository, merged onto a revision.
 *
 * Invariant: nothing is checked out, and nothing is written but objects in a scratch directory.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { GitRepository } from '../git/git-repository.ts';
import { MergeObjects, type MergeOutcome } from '../git/merge-objects.ts';
import { RepositoryPaths, treeOverlay } from '../git/repository-overlay.ts';
import { worktreeCommit } from '../git/worktree-state.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type Composition,
  evaluateMerge,
  type MergeEvaluation,
  type MergeJudging,
} from './merge-evaluation.ts';
import { CommitMergeSource, type MergeSides } from './merge-source.ts';
import { type SessionLookup, sessionEntries } from './session-entry.ts';

/** What is merged onto what. */
export interface MergeQuestion {
  readonly workspace: Workspace;
  /**
   * Branches and other revisions; directories of working trees, whose uncommitted changes count; and `session:` with the
   * id of a session, which counts with the uncommitted changes it was made on.
   */
  readonly sides: readonly string[];
  /** What they are merged onto. */
  readonly onto: string;
  /** Where the directories among the sides count from. */
  readonly directory: string;
  /** Fails for a directory that the caller may not read. */
  readonly requireServed: (directory: string) => Promise<void>;
  /** Finds the sessions among the sides. */
  readonly session: SessionLookup;
  readonly env: Environment;
}

export interface RevisionMerge extends MergeQuestion, MergeJudging {
  /** The files on disk, without changes. */
  readonly disk: Overlay;
}

export async function mergeRevisions(request: RevisionMerge, signal: AbortSignal): Promise<MergeEvaluation> {
  const { workspace, disk, env, judge, onProgress, parallel } = request;
  await using objects = await MergeObjects.open(await GitRepository.at(workspace.root, env, signal));
  const { target, sides } = await resolved(objects, request, signal);
  const base = await treeOverlay(objects.repository, { tree: target, workspace, disk }, signal);
  const source = new CommitMergeSource({ objects, workspace, target, base, sides });
  return await evaluateMerge(source, { judge, onProgress, parallel }, signal);
}

/** The sides, merged onto the target one after the other, as changes to the disk. */
export async function composeRevisions(
  request: MergeQuestion & { readonly disk: Overlay },
  signal: AbortSignal,
): Promise<Composition> {
  const { workspace, disk, env } = request;
  await using objects = await MergeObjects.open(await GitRepository.at(workspace.root, env, signal));
  const { target, sides } = await resolved(objects, request, signal);
  const source = new CommitMergeSource({ objects, workspace, target, base: disk, sides });
  const composed = await source.compose([...sides.keys()].slice(0, -1), sides.length - 1, signal);
  return composed.kind === 'merged' ? { ...composed, overlay: composed.overlay.flattened() } : composed;
}

/** What would be merged now, as a text that is equal if and only if all of it is. */
export async function mergeState(request: MergeQuestion, signal: AbortSignal): Promise<string> {
  const { workspace, env } = request;
  await using objects = await MergeObjects.open(await GitRepository.at(workspace.root, env, signal));
  return JSON.stringify(await resolved(objects, request, signal));
}

async function resolved(
  objects: MergeObjects,
  request: MergeQuestion,
  signal: AbortSignal,
): Promise<Pick<MergeSides, 'target' | 'sides'>> {
  const target = await revisionCommit(objects.repository, request.onto, signal);
  const sides: { name: string; side: MergeOutcome }[] = [];
  for (const name of request.sides) sides.push({ name, side: await sideOf(objects, name, request, signal) });
  return { target, sides };
}

/** Stands before the id of a session among the sides. */
export const sessionPrefix = 'session:';

/** A name that is both a revision and a directory is the revision, unless it is written as a path. */
async function sideOf(
  objects: MergeObjects,
  name: string,
  request: MergeQuestion,
  signal: AbortSignal,
): Promise<MergeOutcome> {
  if (name.startsWith(sessionPrefix))
    return sessionCommit(objects, { ...request, id: name.slice(sessionPrefix.length) }, signal);
  const isPath = isAbsolute(name) || /^\.\.?(?:[/\\]|$)/.test(name);
  const revision = isPath ? undefined : await objects.repository.commitOf(name, signal);
  if (revision !== undefined) return { kind: 'merged', commit: revision };
  const directory = resolve(request.directory, name);
  await request.requireServed(directory);
  const isDirectory = (await stat(directory).catch(() => undefined))?.isDirectory() === true;
  if (!isDirectory) throw new UnknownSide(name);
  const tree = await worktreeAt(objects, directory, request.env, signal);
  return { kind: 'merged', commit: await worktreeCommit(objects, tree, signal) };
}

/** The session on top of what its own working tree holds. */
async function sessionCommit(
  objects: MergeObjects,
  { id, env, session }: Pick<MergeQuestion, 'env' | 'session'> & { readonly id: string },
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const found = await session(id, signal);
  const { entries, stale } = await sessionEntries(found);
  if (stale.length > 0) return { kind: 'conflict', paths: stale };
  const tree = await worktreeAt(objects, found.workspace.root, env, signal);
  const paths = new RepositoryPaths(tree.top, found.workspace);
  const named = entries.map(([path, entry]) => [paths.fromTop(path), entry] as const);
  const commit = await objects.commitOf(await worktreeCommit(objects, tree, signal), named, signal);
  return { kind: 'merged', commit };
}

/** Another working tree can be merged only if both belong to one repository. */
async function worktreeAt(
  objects: MergeObjects,
  directory: string,
  env: Environment,
  signal: AbortSignal,
): Promise<GitRepository> {
  const tree = await GitRepository.at(directory, env, signal);
  if (objects.repository.commonDirectory !== tree.commonDirectory) throw new UnknownSide(directory);
  return tree;
}

async function revisionCommit(
  repository: GitRepository,
  revision: string,
  signal: AbortSignal,
): Promise<string> {
  const commit = await repository.commitOf(revision, signal);
  if (commit === undefined) throw new UnknownSide(revision);
  return commit;
}

export class UnknownSide extends Failure {
  readonly code = 'merge/unknown-side';
  readonly remedy =
    'Give a branch or another revision, the directory of a working tree of this repository, or session: and the id of a session.';

  constructor(name: string) {
    super(`cannot merge ${name}: it is neither a revision nor a working tree of this repository`);
  }
}
