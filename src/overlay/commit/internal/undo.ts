import { closeSync, constants, fchmodSync, mkdirSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { errnoOf, isMissing } from '../../../base/errno.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { DirectoryReplaced } from './directory-identity.ts';
import type { Step } from './journal.ts';
import { removeIfEmpty } from './transaction-files.ts';
import type { TreeAccess } from './tree-access.ts';
import { hashEntry, statEntry } from './tree-entry.ts';
import type { WorkDirectory } from './work-directory.ts';

export interface UndoReport {
  /** Paths that were restored. */
  readonly undone: WorkspacePath[];
  /** Paths that were changed after us; the later content is kept. */
  readonly kept: WorkspacePath[];
  /** Paths whose old content is still in the work directory: their directory is gone, or the content is not the recorded one. */
  readonly stranded: WorkspacePath[];
}

/** A transaction whose steps are to be undone. */
export interface Undoing {
  readonly tree: TreeAccess;
  readonly work: WorkDirectory;
  readonly steps: readonly Step[];
  /** What another process kept, according to its journal, is compared with its recorded hash. */
  readonly origin: 'this-process' | 'journal';
}

/**
 * Undoes the steps of a transaction that were made, last first.
 *
 * Invariant: an entry is undone only if it still has the content we put there, no link is followed, and undoing twice
 * has the effect of undoing once.
 */
export function undoSteps(undoing: Undoing): UndoReport {
  const report: UndoReport = { undone: [], kept: [], stranded: [] };
  for (const [index, step] of [...undoing.steps.entries()].reverse()) {
    const outcome = undoStep(undoing, step, index);
    if (outcome !== 'untouched') report[outcome].push(step.path);
  }
  return report;
}

type Outcome = 'untouched' | 'undone' | 'kept' | 'stranded';

function undoStep(undoing: Undoing, step: Step, index: number): Outcome {
  const { tree, work } = undoing;
  try {
    switch (step.kind) {
      case 'create':
        return tree.on(step.path, (entry) => undoCreate(step, entry, work.staged(index)));
      case 'replace':
        return undoReplace(undoing, step, index);
      case 'delete':
        return undoDelete(undoing, step, index);
      case 'mkdir':
        tree.on(step.path, removeIfEmpty);
        tree.forget(step.path);
        return 'untouched';
      case 'rmdir':
        tree.on(step.path, (entry) => makeAgain(entry, step.mode));
        return 'untouched';
    }
  } catch (thrown) {
    if (!isUnreachable(thrown)) throw thrown;
    const isWanted = step.kind === 'replace' || step.kind === 'delete';
    return isWanted && statEntry(work.kept(index)) !== undefined ? 'stranded' : 'untouched';
  }
}

/** The entry is ours if it is a hard link to the staged file or, if that is gone, has equal content. */
function undoCreate(step: Step & { kind: 'create' }, entry: string, staged: string): Outcome {
  const [made, source] = [statEntry(entry), statEntry(staged)];
  if (made === undefined) return 'untouched';
  if (source?.isFile() && (source.ino !== made.ino || source.dev !== made.dev)) return 'untouched';
  if (hashEntry(entry, made) !== step.after) return source?.isFile() ? 'kept' : 'untouched';
  unlinkSync(entry);
  return 'undone';
}

/** The staged file is gone exactly if it has replaced the old one. */
function undoReplace(undoing: Undoing, step: Step & { kind: 'replace' }, index: number): Outcome {
  const { tree, work } = undoing;
  if (statEntry(work.staged(index)) !== undefined || statEntry(work.kept(index)) === undefined)
    return 'untouched';
  if (tree.on(step.path, (entry) => hashEntry(entry)) !== step.after) return 'kept';
  return putBack(undoing, step, index);
}

function undoDelete(undoing: Undoing, step: Step & { kind: 'delete' }, index: number): Outcome {
  if (statEntry(undoing.work.kept(index)) === undefined) return 'untouched';
  if (undoing.tree.on(step.path, (entry) => statEntry(entry)) !== undefined) return 'kept';
  return putBack(undoing, step, index);
}

function putBack(
  { tree, work, origin }: Undoing,
  { path, before }: Step & { kind: 'replace' | 'delete' },
  index: number,
): Outcome {
  if (origin === 'journal' && hashEntry(work.kept(index)) !== before) return 'stranded';
  tree.on(path, (entry) => renameSync(work.kept(index), entry));
  return 'undone';
}

function makeAgain(entry: string, mode: number): void {
  try {
    mkdirSync(entry);
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return;
    throw thrown;
  }
  if (process.platform === 'win32') return;
  const opened = openSync(entry, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchmodSync(opened, mode);
  } finally {
    closeSync(opened);
  }
}

/** The directory of a step is no longer at its path. */
function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof DirectoryReplaced || isMissing(thrown) || errnoOf(thrown) === 'ELOOP';
}
