import { parentOf, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import { isDecided } from '../commit-decision.ts';
import type { DirectoryIdentity } from './directory-identity.ts';
import type { Journal, JournaledRoot } from './journal.ts';
import type { RecordedJournal } from './journal-store.ts';
import type { TransactionPlace } from './transaction.ts';
import { CorruptJournal } from './transaction-failure.ts';
import { syncDirectories } from './transaction-files.ts';
import { type UndoReport, undoSteps } from './undo.ts';
import { isWorkPath, removeEmptyWork, WorkDirectory } from './work-directory.ts';

/** How one transaction ended. */
export interface Settlement {
  /** 1 if it was past the commit point. */
  readonly finished: 0 | 1;
  /** Paths that were restored. */
  readonly undone: readonly WorkspacePath[];
  /** Paths that were changed after it; the later content is kept. */
  readonly kept: readonly WorkspacePath[];
  /** Which old contents are left in the work directory, which then stays, as does the journal. */
  readonly stranded?: string;
}

export interface SettlementOptions {
  readonly origin: 'this-process' | 'journal';
  /** The work directory, if this process has it open. */
  readonly work?: WorkDirectory | undefined;
  readonly onStep: (step: string) => void;
}

/**
 * Settles a transaction according to its journal.
 *
 * Invariant: a journal of another workspace, of a root that was replaced, or without its work directory changes
 * nothing: it throws a CorruptJournal. The journal is removed last, so an interrupted settlement is repeated.
 */
export async function settleTransaction(
  place: TransactionPlace,
  { origin, work: held, onStep }: SettlementOptions,
): Promise<Settlement> {
  const { id, tree, store } = place;
  const journal = store.read(id);
  if (journal === undefined) return untouched;
  refuseOtherRoot(journal.workspace, place.workspace);
  const work = held ?? findWork(place, journal);
  let settlement = untouched;
  if (journal.state === 'committed' || (await isDecidedAt(journal)))
    settlement = { ...untouched, finished: 1 };
  else if (journal.steps !== undefined) {
    if (work === undefined) throw new CorruptJournal(`its work directory "${journal.work.path}" is gone`);
    const report = undoSteps({ tree, work, steps: journal.steps, origin });
    await syncDirectories([...new Set(report.undone.map(parentOf))], (path) => tree.directory(path));
    settlement = toSettlement(report, journal);
    if (settlement.stranded !== undefined) return settlement;
    // Removes the steps from the journal, so that nothing is undone a second time.
    await store.write(id, { workspace: journal.workspace, work: journal.work }, 'process');
  }
  if (work !== undefined) await work.remove(onStep);
  else if (journal.work.identity === undefined) removeEmptyWork(tree, journal.work.path);
  onStep('clean');
  store.remove(id);
  return settlement;
}

const untouched: Settlement = { finished: 0, undone: [], kept: [] };

/** A journal is about one directory, not about whatever its path leads to now. */
function refuseOtherRoot(recorded: JournaledRoot, found: JournaledRoot): void {
  if (recorded.root !== found.root)
    throw new CorruptJournal(`it is about another workspace, "${recorded.root}"`);
  if (!isSameAcrossBoots(recorded, recorded, found)) {
    throw new CorruptJournal(`"${recorded.root}" is another directory now than when the commit was made`);
  }
}

/** Undefined if the directory is gone, or was never made. */
function findWork(place: TransactionPlace, { work, workspace }: Journal): WorkDirectory | undefined {
  if (!isWorkPath(work.path, place.id)) throw new CorruptJournal(`"${work.path}" is no work directory of it`);
  const { identity } = work;
  if (identity === undefined) return undefined;
  const isExpected = (found: DirectoryIdentity): boolean =>
    isSameAcrossBoots(workspace, identity, { ...found, boot: place.workspace.boot });
  const found = WorkDirectory.find(place.tree, { path: work.path, isExpected });
  if (found === 'replaced')
    throw new CorruptJournal(`"${work.path}" is not the directory that the commit made`);
  return found === 'missing' ? undefined : found;
}

/** Device numbers change with every boot, so they are compared only within one. */
function isSameAcrossBoots(
  { boot }: Pick<JournaledRoot, 'boot'>,
  recorded: DirectoryIdentity,
  found: DirectoryIdentity & Pick<JournaledRoot, 'boot'>,
): boolean {
  const isOneBoot = boot !== '' && boot === found.boot;
  return recorded.ino === found.ino && (!isOneBoot || recorded.dev === found.dev);
}

/** Whether the decision of the transaction was made. */
async function isDecidedAt({ decidedAt }: RecordedJournal): Promise<boolean> {
  return decidedAt !== undefined && (await isDecided(decidedAt));
}

function toSettlement({ undone, kept, stranded }: UndoReport, { work }: Journal): Settlement {
  if (stranded.length === 0) return { finished: 0, undone, kept };
  return {
    finished: 0,
    undone,
    kept: [...kept, ...stranded],
    stranded: `the old content of ${stranded.join(', ')} could not be put back and is kept in "${work.path}"`,
  };
}
