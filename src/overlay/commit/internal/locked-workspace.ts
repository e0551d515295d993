import { randomUUID } from 'node:crypto';
import { errnoOf } from '../../../base/errno.ts';
import { Failure, messageOf } from '../../../base/failure.ts';
import type { FileLock } from '../../../process/file-lock.ts';
import { bootId } from '../../../process/living-process.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { DirectoryReplaced } from './directory-identity.ts';
import type { JournaledRoot } from './journal.ts';
import { JournalStore } from './journal-store.ts';
import { type AccessKind, openTree } from './open-tree.ts';
import { type Settlement, settleTransaction } from './settlement.ts';
import type { TransactionPlace } from './transaction.ts';
import { CommitFailed, CommitInterrupted, CorruptJournal } from './transaction-failure.ts';
import type { TreeAccess } from './tree-access.ts';
import type { WorkDirectory } from './work-directory.ts';

/** The result of recovering unfinished transactions. */
export interface Recovery {
  readonly finished: number;
  readonly undone: readonly WorkspacePath[];
  readonly kept: readonly WorkspacePath[];
  /** Journals that could not be used, and where they are now. */
  readonly warnings: readonly string[];
}

export interface LockOptions {
  readonly stateDirectory: string;
  readonly access: AccessKind;
}

/**
 * A workspace while this process may commit to it.
 *
 * Invariant: while it is open no other process of this user commits to the workspace, and the only unfinished
 * transaction recorded for it is its own. After disposal it leaves nothing in the workspace.
 */
export class LockedWorkspace implements AsyncDisposable {
  /** Where the one transaction of this lock happens. */
  readonly place: TransactionPlace;
  /** The recovery of what earlier processes left. */
  readonly recovered: Recovery;
  readonly #lock: FileLock;

  private constructor(place: TransactionPlace, recovered: Recovery, lock: FileLock) {
    this.place = place;
    this.recovered = recovered;
    this.#lock = lock;
  }

  static async open(
    workspace: Workspace,
    options: LockOptions,
    signal: AbortSignal,
  ): Promise<LockedWorkspace> {
    const store = new JournalStore(options.stateDirectory, workspace.root);
    const lock = await store.lock(signal);
    let tree: TreeAccess | undefined;
    try {
      tree = openTree(workspace.root, options.access);
      const place = placeIn(workspace, tree, store);
      const { failures, ...recovered } = await recoverIn(place, lock);
      if (failures.length > 0) throw new CommitInterrupted(failures[0], { cause: failures[0] });
      return new LockedWorkspace(place, recovered, lock);
    } catch (thrown) {
      tree?.[Symbol.dispose]();
      store.unlock(lock);
      throw thrown instanceof DirectoryReplaced ? new CommitFailed(thrown) : thrown;
    }
  }

  /** Recovers unless a living process holds the lock. Obstacles are reported, never thrown. */
  static async recover(workspace: Workspace, { stateDirectory, access }: LockOptions): Promise<Recovery> {
    try {
      const store = new JournalStore(stateDirectory, workspace.root);
      // Most workspaces have no journal, and then opening one takes no lock.
      if (store.transactions().length === 0) return nothing;
      const lock = store.tryLock();
      if (lock === undefined) return nothing;
      try {
        using tree = openTree(workspace.root, access);
        const { failures, ...recovered } = await recoverIn(placeIn(workspace, tree, store), lock);
        const warnings = failures.map((failure) => messageOf(new CommitInterrupted(failure)));
        return { ...recovered, warnings: [...recovered.warnings, ...warnings] };
      } finally {
        store.unlock(lock);
      }
    } catch (thrown) {
      const isExpected = thrown instanceof Failure || thrown instanceof DirectoryReplaced;
      if (!isExpected && errnoOf(thrown) === undefined) throw thrown;
      return { ...nothing, warnings: [`interrupted commits could not be looked for: ${messageOf(thrown)}`] };
    }
  }

  /** Settles the transaction according to its journal: rolled back before the commit point, cleaned up after it. */
  settle(work: WorkDirectory | undefined): Promise<Settlement> {
    return settleTransaction(this.place, { origin: 'this-process', work, onStep: () => {} });
  }

  /** Removes the files of a committed transaction; the journal last. */
  async finish(work: WorkDirectory, onStep: (step: string) => void): Promise<void> {
    await work.remove(onStep);
    onStep('clean');
    this.place.store.remove(this.place.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.place.tree[Symbol.dispose]();
    this.place.store.unlock(this.#lock);
  }
}

const nothing: Recovery = { finished: 0, undone: [], kept: [], warnings: [] };

function placeIn({ root }: Workspace, tree: TreeAccess, store: JournalStore): TransactionPlace {
  const workspace: JournaledRoot = { root, boot: bootId(), ...tree.identity };
  return { id: randomUUID(), tree, store, workspace };
}

async function recoverIn(
  place: TransactionPlace,
  lock: FileLock,
): Promise<Recovery & { readonly failures: unknown[] }> {
  const { store } = place;
  const failures: unknown[] = [];
  let recovery = nothing;
  store.removeDrafts();
  lock.sweep();
  for (const id of store.transactions()) {
    try {
      recovery = both(recovery, await recoverOne({ ...place, id }));
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  return { ...recovery, failures };
}

async function recoverOne(place: TransactionPlace): Promise<Recovery> {
  try {
    const { stranded, ...settled } = await settleTransaction(place, { origin: 'journal', onStep: () => {} });
    if (stranded === undefined) return { ...settled, warnings: [] };
    const journal = place.store.setAside(place.id);
    return { ...settled, warnings: [`${stranded}; its journal was set aside as "${journal}"`] };
  } catch (thrown) {
    if (!(thrown instanceof CorruptJournal)) throw thrown;
    const journal = place.store.setAside(place.id);
    return {
      ...nothing,
      warnings: [
        `a journal of an interrupted commit was not used: ${thrown.message}; set aside as "${journal}"`,
      ],
    };
  }
}

function both(a: Recovery, b: Recovery): Recovery {
  return {
    finished: a.finished + b.finished,
    undone: [...a.undone, ...b.undone],
    kept: [...a.kept, ...b.kept],
    warnings: [...a.warnings, ...b.warnings],
  };
}
