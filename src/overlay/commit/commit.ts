import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import { absentHash, hashContent } from '../../workspace/content-hash.ts';
import { PathOutsideWorkspace, Workspace } from '../../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { FileChange, Overlay } from '../overlay.ts';
import type { CommitDecision } from './commit-decision.ts';
import { type Precondition, planCommit } from './internal/commit-plan.ts';
import { isRecordOfOurs } from './internal/journal.ts';
import { LockedWorkspace, type Recovery } from './internal/locked-workspace.ts';
import type { AccessKind } from './internal/open-tree.ts';
import { isGitPath, ProtectedPaths } from './internal/protected-path.ts';
import { LateConflict } from './internal/swap.ts';
import { Transaction } from './internal/transaction.ts';
import {
  CommitFailed,
  CommitInterrupted,
  DecisionOutsideState,
  ProtectedPath,
} from './internal/transaction-failure.ts';
import type { WorkDirectory } from './internal/work-directory.ts';

/**
 * Writes an overlay to the disk. This is the only writer of workspace files.
 *
 * Terms. The *tree* is every file, link and directory below the workspace root. A *step* creates, replaces, deletes,
 * makes or removes one entry of it. The *work directory* lies on the file system of the tree, in `.git` or at the root
 * under a random name; it holds the *staged* new entries and the *kept* old ones. The *journal* is a file in the user's
 * state directory that lists the steps and names the work directory. The *commit point* is the rename that marks the
 * journal as committed or, where the caller brings a decision, the line that records the decision. *Recovery* is what
 * the next opening or commit of the workspace does about a journal that it finds.
 *
 * Invariants:
 * 1. No step is made before the journal is complete on disk and every new content is staged.
 * 2. No entry is replaced or deleted before it is kept. A kept entry is removed only after the commit point.
 * 3. After a crash at any instruction and recovery, the tree is as before all steps or, past the commit point, as after
 *    all of them. Paths that another process changed meanwhile keep what it wrote and are reported.
 * 4. Nothing inside a workspace is read as a journal, and a journal is used only if it is whole (checksum), written for
 *    this very directory (path, inode, device) and its work directory is the one it names. Otherwise it is set aside
 *    and reported; it never stops an opening or a commit.
 * 5. Every step, and every undoing of one, is made in an opened directory that was reached from the root without
 *    following a link (on Linux; elsewhere the path is verified before and after the call). Before the commit point all
 *    those directories must still be where their paths lead. So a commit changes nothing outside the tree, and
 *    `committed` means that the paths held the new contents.
 * 6. No step concerns a path with a component that any file system takes for `.git`, nor our own state directory.
 * 7. No content is overwritten that is not the one the change was made on, unless the caller asked for it. No file gets
 *    a set-user-ID, set-group-ID or sticky bit.
 * 8. One process of a user at a time commits to a workspace, by a lock beside the journals.
 *
 * Directories count as in git: one is made for its first file and removed with its last.
 */
export interface OverlayCommitOptions {
  /** `process`: survives the death of this process; `power`: also a loss of power, at the cost of flushing. */
  readonly durability: 'process' | 'power';
  /** What to do if a file does not have the content its change was made on. */
  readonly onConflict: 'refuse' | 'overwrite';
  /** Called before each call that alters the disk, so that a test can end the process at every one of them. */
  readonly onStep?: (step: string) => void;
  /** A decision that is made together with the commit, or not at all. */
  readonly decision?: CommitDecision;
  /** How directories are accessed; `verified` is for systems without `/proc`, and for tests of that. */
  readonly access?: AccessKind;
}

/** Where journals are kept. */
export interface JournalPlace {
  /** The directory for our own files, according to `stateDirectory` of the user's environment. */
  readonly stateDirectory: string;
}

export type CommitOutcome =
  | {
      readonly kind: 'committed';
      /** Every path that was written, removed or moved away from, sorted. */
      readonly written: readonly WorkspacePath[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export interface RecoveryReport {
  /** How many interrupted commits were past the commit point; their trees stay. */
  readonly finished: number;
  /** Paths that an interrupted commit had changed and that were restored. */
  readonly undone: readonly WorkspacePath[];
  /** Paths that were changed after the interruption and were not touched. */
  readonly kept: readonly WorkspacePath[];
  /** Journals that were set aside, and rollbacks that failed, with the reason. */
  readonly warnings: readonly string[];
}

/** Writes the contents of the overlay, with all layers beneath it, to the disk; all files or none. */
export async function commitOverlay(
  workspace: Workspace,
  overlay: Overlay,
  options: OverlayCommitOptions & JournalPlace,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  return commitChanges(workspace, await overlay.changes('stack'), options, signal);
}

/**
 * Writes the overlay's changed files into another directory, named by its real path, at the same relative paths and
 * with the same guarantees. There, a file may be missing or have the content the change was made on; any other
 * content is a conflict.
 */
export async function writeContents(
  targetDirectory: string,
  overlay: Overlay,
  options: OverlayCommitOptions & JournalPlace,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  if (isGitPath(resolve(targetDirectory))) throw new ProtectedPath(targetDirectory, 'belongs to git');
  await mkdir(targetDirectory, { recursive: true });
  const mayReplace: Precondition =
    options.onConflict === 'overwrite'
      ? () => true
      : (found, { madeOn, content }) => [absentHash, madeOn, hashContent(content)].includes(found);
  const target = await Workspace.open(targetDirectory);
  // The caller names the real directory; a link that replaced it meanwhile is not followed.
  if (target.root !== resolve(targetDirectory)) throw new PathOutsideWorkspace(targetDirectory, target.root);
  return commitChanges(target, await overlay.changes('stack'), { ...options, mayReplace }, signal);
}

/**
 * Recovers interrupted commits: rolls back a commit before its commit point, cleans up after one past it. A commit of
 * a living process is not touched. A journal that cannot be used is set aside; this never throws for one.
 */
export async function recoverCommits(
  workspace: Workspace,
  { stateDirectory, access = 'handles' }: JournalPlace & Pick<OverlayCommitOptions, 'access'>,
): Promise<RecoveryReport> {
  return LockedWorkspace.recover(workspace, { stateDirectory, access });
}

interface CommitCall extends OverlayCommitOptions, JournalPlace {
  /**
   * Whether a file may be replaced; default: if it has the content the change was made on, or `onConflict` allows it.
   */
  readonly mayReplace?: Precondition;
}

/** The same for a caller that has computed the changes of the overlay, with all layers beneath it. */
export async function commitChanges(
  workspace: Workspace,
  changes: readonly FileChange[],
  options: CommitCall,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  signal.throwIfAborted();
  const { onStep = () => {}, decision, stateDirectory, access = 'handles' } = options;
  const { mayReplace = ordinaryPrecondition(options) } = options;
  if (decision?.place && !isRecordOfOurs(decision.place, stateDirectory)) {
    throw new DecisionOutsideState(decision.place.record, stateDirectory);
  }
  if (changes.length === 0) {
    await decision?.decide();
    return { kind: 'committed', written: [], warnings: [] };
  }
  onStep('lock');
  await using locked = await LockedWorkspace.open(workspace, { stateDirectory, access }, signal);
  const protectedPaths = new ProtectedPaths(workspace, stateDirectory);
  const plan = await planCommit(workspace, changes, { mayReplace, protectedPaths });
  if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
  const how = { durability: options.durability, onStep, decision };
  const transaction = new Transaction(locked.place, plan.steps, how);
  let work: WorkDirectory | undefined;
  try {
    work = await transaction.prepare(signal);
    await transaction.swap(work);
    const misled = await plan.recheck();
    if (misled.length > 0) throw new LateConflict(misled);
    await transaction.commit();
  } catch (thrown) {
    const ended = await rollBack(locked, work, thrown);
    if (ended === 'failed') {
      throw signal.aborted || thrown instanceof Failure ? thrown : new CommitFailed(thrown);
    }
    if (ended !== 'committed') return ended;
    work = undefined;
  }
  const warnings = [...recoveryWarnings(locked.recovered), ...plan.warnings];
  if (work !== undefined) warnings.push(...(await cleanUp(locked, work, onStep)));
  return { kind: 'committed', written: writtenPaths(changes), warnings };
}

function ordinaryPrecondition({ onConflict }: OverlayCommitOptions): Precondition {
  return onConflict === 'overwrite' ? () => true : (found, { madeOn }) => found === madeOn;
}

/** Rolls back a transaction that failed. If its decision was made before it failed, it stays committed. */
async function rollBack(
  locked: LockedWorkspace,
  work: WorkDirectory | undefined,
  thrown: unknown,
): Promise<'committed' | 'failed' | (CommitOutcome & { readonly kind: 'conflict' })> {
  const settled = await locked.settle(work).catch((cause: unknown) => {
    throw new CommitInterrupted(thrown, { cause });
  });
  if (settled.stranded !== undefined) throw new CommitInterrupted(settled.stranded, { cause: thrown });
  if (settled.finished === 1) return 'committed';
  if (!(thrown instanceof LateConflict)) return 'failed';
  return { kind: 'conflict', paths: [...new Set([...thrown.paths, ...settled.kept])].sort(comparePaths) };
}

/** The tree has its new state already, so a failure to clean up is reported and left to the next recovery. */
async function cleanUp(
  locked: LockedWorkspace,
  work: WorkDirectory,
  onStep: (step: string) => void,
): Promise<string[]> {
  try {
    await locked.finish(work, onStep);
    return [];
  } catch (thrown) {
    return [`the commit is complete, but "${work.path}" could not be removed: ${messageOf(thrown)}`];
  }
}

function writtenPaths(changes: readonly FileChange[]): WorkspacePath[] {
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  return [...new Set(paths)].sort(comparePaths);
}

function recoveryWarnings({ undone, kept, warnings }: Recovery): string[] {
  const reported = [...warnings];
  if (undone.length > 0) reported.push(`an interrupted commit was undone first: ${undone.join(', ')}`);
  if (kept.length > 0) reported.push(`changed since an interrupted commit and kept: ${kept.join(', ')}`);
  return reported;
}
