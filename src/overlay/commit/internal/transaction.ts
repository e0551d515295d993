import { closeSync, fchmodSync, fstatSync, fsync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { mapConcurrently } from '../../../workspace/concurrency.ts';
import { encodeContent } from '../../../workspace/content-hash.ts';
import type { FileContent } from '../../../workspace/file-content.ts';
import { isBelow, parentOf, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { CommitDecision } from '../commit-decision.ts';
import { permissionBits } from './file-mode.ts';
import type { JournaledRoot } from './journal.ts';
import type { JournalStore, TransactionId } from './journal-store.ts';
import type { PlannedStep } from './planned-step.ts';
import { keepReplaced, LateConflict, makeSteps } from './swap.ts';
import { isForeign, keepOwner, syncDirectories } from './transaction-files.ts';
import type { TreeAccess } from './tree-access.ts';
import { WorkDirectory, workPathFor } from './work-directory.ts';

export interface TransactionOptions {
  /** Whether it survives the death of the process, or a loss of power as well. */
  readonly durability: 'process' | 'power';
  /** Called before each call that alters the disk, so that a test can end the process at every one of them. */
  readonly onStep: (step: string) => void;
  /** The decision that is made together with it. */
  readonly decision: CommitDecision | undefined;
}

/** Where a transaction happens, and where its journal is stored. */
export interface TransactionPlace {
  readonly id: TransactionId;
  readonly tree: TreeAccess;
  readonly store: JournalStore;
  readonly workspace: JournaledRoot;
}

/**
 * Makes the steps of a plan so that they can be undone after a crash at any point.
 *
 * Invariant: the tree is not touched before the journal is complete; nothing in the tree is overwritten or removed
 * before it is kept in the work directory; until `commit` returns, undoing is possible.
 */
export class Transaction {
  readonly #place: TransactionPlace;
  readonly #steps: readonly PlannedStep[];
  readonly #options: TransactionOptions;

  constructor(place: TransactionPlace, steps: readonly PlannedStep[], options: TransactionOptions) {
    this.#place = place;
    this.#steps = steps;
    this.#options = options;
  }

  /** Stages the new contents in the work directory, then writes the journal. The tree is unchanged. */
  async prepare(signal: AbortSignal): Promise<WorkDirectory> {
    const { onStep } = this.#options;
    const work = await this.#makeWork();
    await mapConcurrently(this.#steps, 16, async ({ content, existing }, index) => {
      signal.throwIfAborted();
      if (content === undefined) return;
      onStep('stage');
      await this.#stage(work.staged(index), content, existing);
    });
    await this.#sync([work.path]);
    signal.throwIfAborted();
    onStep('journal');
    const { id, store, workspace } = this.#place;
    const { path, identity } = work;
    const steps = this.#steps.map(({ step }) => step);
    const decidedAt = this.#options.decision?.place;
    const journal = { workspace, work: { path, identity }, steps, ...(decidedAt && { decidedAt }) };
    await this.#sync([parentOf(work.path)]);
    await store.write(id, journal, this.#options.durability);
    return work;
  }

  /** Makes the steps. Throws a LateConflict if another process changed one of their paths. */
  async swap(work: WorkDirectory): Promise<void> {
    const { tree } = this.#place;
    const swap = { tree, work, steps: this.#steps, onStep: this.#options.onStep };
    await keepReplaced(swap);
    await this.#sync([work.path]);
    await makeSteps(swap);
    await this.#sync([...new Set(this.#steps.map(({ step }) => parentOf(step.path))), work.path]);
    this.#refuseMisled();
  }

  /** The commit point: the decision if there is one, else the mark of the journal. */
  async commit(): Promise<void> {
    const { onStep, decision, durability } = this.#options;
    if (decision) {
      onStep('decide');
      await decision.decide();
    }
    onStep('commit');
    await this.#place.store.markCommitted(this.#place.id, durability);
  }

  /** The journal names the directory before it is made, and its identity before anything is put into it. */
  async #makeWork(): Promise<WorkDirectory> {
    const { onStep } = this.#options;
    const { id, tree, store, workspace } = this.#place;
    const path = workPathFor(tree, id);
    onStep('stage');
    await store.write(id, { workspace, work: { path } }, 'process');
    onStep('stage');
    const work = WorkDirectory.make(tree, path);
    onStep('stage');
    await store.write(id, { workspace, work: { path, identity: work.identity } }, 'process');
    onStep('stage');
    work.hideFromGit();
    return work;
  }

  async #stage(staged: string, content: FileContent, existing: PlannedStep['existing']): Promise<void> {
    if (content.kind === 'symlink') {
      symlinkSync(content.target, staged);
      return;
    }
    // Only the flush waits for the disk; the other calls are cheaper than a trip to the thread pool.
    const file = openSync(staged, 'wx');
    try {
      writeFileSync(file, encodeContent(content));
      if (existing && isForeign(existing)) keepOwner(file, existing);
      const mode = content.mode ?? (existing && Number(existing.mode));
      if (mode !== undefined && permissionBits(mode) !== (fstatSync(file).mode & 0o7777)) {
        fchmodSync(file, permissionBits(mode));
      }
      if (this.#options.durability === 'power') await flush(file);
    } finally {
      closeSync(file);
    }
  }

  /** If a path no longer leads to the directory that was written to, the commit must not stay. */
  #refuseMisled(): void {
    const misled = this.#place.tree.misled();
    const paths = this.#steps.map(({ step }) => step.path);
    const affected = paths.filter((path) => misled.some((directory) => isBelow(path, directory)));
    if (misled.length > 0) throw new LateConflict(affected.length > 0 ? affected : paths);
  }

  async #sync(directories: readonly WorkspacePath[]): Promise<void> {
    if (this.#options.durability !== 'power') return;
    await syncDirectories(directories, (path) => this.#place.tree.directory(path));
  }
}

const flush = promisify(fsync);
