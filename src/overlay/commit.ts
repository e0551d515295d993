import { mkdir } from 'node:fs/promises';
import { Failure, messageOf } from '../base/failure.ts';
import { absentHash, hashContent } from '../workspace/content-hash.ts';
import { Workspace } from '../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { CommitDecision } from './commit-decision.ts';
import type { FileChange } from './file-change.ts';
import { type Precondition, planCommit } from './internal/commit-plan.ts';
import { LateConflict } from './internal/swap.ts';
import { Transaction } from './internal/transaction.ts';
import { TransactionDirectory } from './internal/transaction-directory.ts';
import { CommitFailed, CommitInterrupted } from './internal/transaction-failure.ts';
import type { Overlay } from './overlay.ts';

/**
 * Makes an overlay real. This is the only writer of workspace files.
 *
 * Invariant: after a crash at any instruction, and `recoverCommits`, the tree is either wholly as before or
 * wholly as the overlay has it; and no content is overwritten that nobody looked at.
 *
 * How: new bytes are written aside, a journal of all steps is put down in one rename, each file is swapped
 * in with one call while the old one is kept under a second name, and renaming the journal is the point
 * from which the new tree stays. A decision made elsewhere takes the place of that rename where the caller has one:
 * the journal says where to look for it. What is written aside must be on the file system of the workspace. It
 * lies in `.git/forerun-tx`, where no tool looks for sources, and without a `.git` directory in
 * `.forerun-tx` at the root; either is gone when the commit is over.
 *
 * Directories count as in git: one is made for its first file and removed with its last.
 */
export interface CommitOptions {
  /** `process` survives the death of this process; `power` the loss of power as well, for the price of flushing. */
  readonly durability: 'process' | 'power';
  /** What to do where a file is not what its change was made on. */
  readonly onConflict: 'refuse' | 'overwrite';
  /** Called before each call that alters the disk, so that a test can end the process at every one of them. */
  readonly onStep?: (step: string) => void;
  /** What comes true with the commit, or not at all. */
  readonly decision?: CommitDecision;
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
  /** How many interrupted commits were past the point of no return; their trees stay. */
  readonly finished: number;
  /** Paths that an interrupted commit had changed and that are again as before it. */
  readonly undone: readonly WorkspacePath[];
  /** Paths that somebody changed after the interruption; theirs is kept. */
  readonly kept: readonly WorkspacePath[];
}

/** Brings the disk to what the overlay, with all layers beneath it, says; all files or none. */
export async function commitOverlay(
  workspace: Workspace,
  overlay: Overlay,
  options: CommitOptions,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  const mayReplace: Precondition =
    options.onConflict === 'overwrite' ? () => true : (found, { madeOn }) => found === madeOn;
  return commitChanges(workspace, await overlay.changes('stack'), { ...options, mayReplace }, signal);
}

/**
 * Writes what the overlay changes into another directory, at the same relative paths and with the same
 * promises. There, a file may be missing or hold the content the change was made on; any other content
 * is a conflict.
 */
export async function writeContents(
  targetDirectory: string,
  overlay: Overlay,
  options: CommitOptions,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  await mkdir(targetDirectory, { recursive: true });
  const mayReplace: Precondition =
    options.onConflict === 'overwrite'
      ? () => true
      : (found, { madeOn, content }) => [absentHash, madeOn, hashContent(content)].includes(found);
  const target = await Workspace.open(targetDirectory);
  return commitChanges(target, await overlay.changes('stack'), { ...options, mayReplace }, signal);
}

/**
 * Ends what a crash interrupted: undoes a commit that had not reached its end, cleans up after one that had.
 * A commit that a living process is making is left to it.
 */
export async function recoverCommits(workspace: Workspace): Promise<RecoveryReport> {
  return TransactionDirectory.recoverAll(workspace);
}

async function commitChanges(
  workspace: Workspace,
  changes: readonly FileChange[],
  options: CommitOptions & { readonly mayReplace: Precondition },
  signal: AbortSignal,
): Promise<CommitOutcome> {
  signal.throwIfAborted();
  const { durability, onStep = () => {}, decision } = options;
  if (changes.length === 0) {
    await decision?.decide();
    return { kind: 'committed', written: [], warnings: [] };
  }
  onStep('lock');
  await using directory = await TransactionDirectory.open(workspace, signal);
  const plan = await planCommit(workspace, changes, options.mayReplace);
  if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
  const how = { durability, onStep, decision };
  const transaction = new Transaction(workspace, directory.transaction, plan.steps, how);
  try {
    await transaction.prepare(signal);
    await transaction.swap();
    await transaction.commit();
  } catch (thrown) {
    const settled = await directory.settle().catch((cause: unknown) => {
      throw new CommitInterrupted(thrown, { cause });
    });
    if (thrown instanceof LateConflict) {
      return { kind: 'conflict', paths: [...new Set([thrown.path, ...settled.kept])].sort(comparePaths) };
    }
    if (settled.finished === 0) {
      throw signal.aborted || thrown instanceof Failure ? thrown : new CommitFailed(thrown);
    }
  }
  const warnings = [...recoveryWarnings(directory.recovered), ...plan.warnings];
  warnings.push(...(await cleanUp(directory, onStep)));
  return { kind: 'committed', written: writtenPaths(changes), warnings };
}

/** The tree is already what it should be, so what cannot be cleaned up is reported and left to the next start. */
async function cleanUp(directory: TransactionDirectory, onStep: (step: string) => void): Promise<string[]> {
  try {
    await directory.settle(onStep);
    return [];
  } catch (thrown) {
    return [
      `the commit is complete, but "${directory.transaction}" could not be removed: ${messageOf(thrown)}`,
    ];
  }
}

function writtenPaths(changes: readonly FileChange[]): WorkspacePath[] {
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  return [...new Set(paths)].sort(comparePaths);
}

function recoveryWarnings({ undone, kept }: RecoveryReport): string[] {
  const warnings: string[] = [];
  if (undone.length > 0) warnings.push(`an interrupted commit was undone first: ${undone.join(', ')}`);
  if (kept.length > 0) warnings.push(`changed since an interrupted commit and kept: ${kept.join(', ')}`);
  return warnings;
}
