import { chmod, mkdir, rename, unlink } from 'node:fs/promises';
import { errnoOf } from '../../workspace/errno.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Step } from './journal.ts';
import { newFile, oldFile, rmdirIfThere } from './transaction-files.ts';
import { hashEntry, statEntry } from './tree-entry.ts';

export interface UndoReport {
  /** Paths that are again as they were. */
  readonly undone: WorkspacePath[];
  /** Paths that somebody changed after us; theirs is kept. */
  readonly kept: WorkspacePath[];
}

/**
 * Takes back those steps of a transaction that were made, last first.
 *
 * Invariant: only what still holds what we put there is taken back, and undoing twice is undoing once.
 */
export async function undoSteps(
  workspace: Workspace,
  transaction: string,
  steps: readonly Step[],
): Promise<UndoReport> {
  const report: UndoReport = { undone: [], kept: [] };
  for (const [index, step] of [...steps.entries()].reverse()) {
    const outcome = await undoStep(step, {
      target: workspace.absolute(step.path),
      staged: newFile(transaction, index),
      backup: oldFile(transaction, index),
    });
    if (outcome !== 'untouched') report[outcome].push(step.path);
  }
  return report;
}

interface Places {
  readonly target: string;
  readonly staged: string;
  readonly backup: string;
}

type Outcome = 'untouched' | 'undone' | 'kept';

async function undoStep(step: Step, places: Places): Promise<Outcome> {
  switch (step.kind) {
    case 'create':
      return undoCreate(step, places);
    case 'replace':
      return undoReplace(step, places);
    case 'delete':
      return undoDelete(places);
    case 'mkdir':
      await rmdirIfThere(places.target);
      return 'untouched';
    case 'rmdir':
      await makeAgain(places.target, step.mode);
      return 'untouched';
  }
}

/** What is there is ours if it is the staged file under a second name, or where that is gone, equal to it. */
async function undoCreate(step: Step & { kind: 'create' }, { target, staged }: Places): Promise<Outcome> {
  const [made, source] = [await statEntry(target), await statEntry(staged)];
  if (made === undefined) return 'untouched';
  if (source?.isFile() && source.ino !== made.ino) return 'untouched';
  if ((await hashEntry(target, made)) !== step.after) return source?.isFile() ? 'kept' : 'untouched';
  await unlink(target);
  return 'undone';
}

/** The staged file is gone exactly when it has taken the place of the old one. */
async function undoReplace(
  step: Step & { kind: 'replace' },
  { target, staged, backup }: Places,
): Promise<Outcome> {
  if ((await statEntry(staged)) !== undefined || (await statEntry(backup)) === undefined) return 'untouched';
  const now = await hashEntry(target);
  if (now !== step.after) return 'kept';
  await rename(backup, target);
  return 'undone';
}

async function undoDelete({ target, backup }: Places): Promise<Outcome> {
  if ((await statEntry(backup)) === undefined) return 'untouched';
  if ((await statEntry(target)) !== undefined) return 'kept';
  await rename(backup, target);
  return 'undone';
}

async function makeAgain(target: string, mode: number): Promise<void> {
  try {
    await mkdir(target);
    await chmod(target, mode);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}
