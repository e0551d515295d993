import {
  closeSync,
  fchmodSync,
  fsync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { encodeContent } from '../../workspace/content-hash.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { parentOf } from '../../workspace/workspace-path.ts';
import type { CommitDecision } from '../commit-decision.ts';
import { markCommitted, writeJournal } from './journal.ts';
import type { PlannedStep } from './planned-step.ts';
import { keepReplaced, makeSteps, type PlacedStep, placeStep } from './swap.ts';
import { isForeign, keepOwner, syncDirectories } from './transaction-files.ts';

export interface TransactionOptions {
  /** Survive the death of the process, or the loss of power as well. */
  readonly durability: 'process' | 'power';
  /** Called before each call that alters the disk, so that a test can end the process at every one of them. */
  readonly onStep: (step: string) => void;
  /** What must come true together with it. */
  readonly decision: CommitDecision | undefined;
}

/**
 * Makes the steps of a plan so that a crash anywhere leaves enough to undo them.
 *
 * Invariant: the tree is not touched before the journal is complete; nothing in the tree is overwritten
 * or removed before it is kept under `old`; until `commit` returns, undoing is possible.
 */
export class Transaction {
  readonly #workspace: Workspace;
  readonly #directory: string;
  readonly #steps: readonly PlacedStep[];
  readonly #options: TransactionOptions;

  constructor(
    workspace: Workspace,
    directory: string,
    planned: readonly PlannedStep[],
    options: TransactionOptions,
  ) {
    this.#workspace = workspace;
    this.#directory = directory;
    this.#options = options;
    this.#steps = planned.map((step, index) =>
      placeStep(step, index, workspace.absolute(step.step.path), directory),
    );
  }

  /** Writes the new bytes aside, then the journal. The tree is as it was. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { durability, onStep, decision } = this.#options;
    for (const name of ['', 'new', 'old']) {
      onStep('stage');
      mkdirSync(join(this.#directory, name));
    }
    // What the umask leaves of a new directory tells what it leaves of a new file.
    const newFileMode = statSync(join(this.#directory, 'new')).mode & 0o666;
    await mapConcurrently(this.#steps, 16, async (step) => {
      signal.throwIfAborted();
      if (step.content !== undefined) await this.#stage(step, step.content, newFileMode);
    });
    await this.#sync([join(this.#directory, 'new')]);
    signal.throwIfAborted();
    onStep('journal');
    const steps = this.#steps.map(({ step }) => step);
    const decidedAt = decision?.place;
    await writeJournal(this.#directory, { steps, ...(decidedAt && { decidedAt }) }, durability);
    const root = dirname(this.#directory);
    await this.#sync([this.#directory, root, dirname(root)]);
  }

  /** Makes the steps. Fails with a LateConflict when somebody else was quicker. */
  async swap(): Promise<void> {
    const { onStep } = this.#options;
    await keepReplaced(this.#steps, onStep);
    await this.#sync([join(this.#directory, 'old')]);
    await makeSteps(this.#steps, onStep);
    const touched = new Set(this.#steps.map(({ step }) => this.#workspace.absolute(parentOf(step.path))));
    await this.#sync([...touched, join(this.#directory, 'old')]);
  }

  /** From here on the new tree is the one that stays: from the decision on, where there is one. */
  async commit(): Promise<void> {
    const { onStep, decision } = this.#options;
    if (decision) {
      onStep('decide');
      await decision.decide();
    }
    onStep('commit');
    await markCommitted(this.#directory);
    await this.#sync([this.#directory]);
  }

  async #stage({ staged, existing }: PlacedStep, content: FileContent, newFileMode: number): Promise<void> {
    this.#options.onStep('stage');
    if (content.kind === 'symlink') {
      symlinkSync(content.target, staged);
      return;
    }
    // Only the flush waits for the disk; a trip to the thread pool for each of the others costs more than they do.
    const file = openSync(staged, 'wx');
    try {
      writeFileSync(file, encodeContent(content));
      if (existing && isForeign(existing)) keepOwner(file, existing);
      const mode = content.mode ?? (existing && Number(existing.mode & 0o7777n));
      if (mode !== undefined && mode !== newFileMode) fchmodSync(file, mode);
      if (this.#options.durability === 'power') await flush(file);
    } finally {
      closeSync(file);
    }
  }

  async #sync(directories: readonly string[]): Promise<void> {
    if (this.#options.durability === 'power') await syncDirectories(directories);
  }
}

const flush = promisify(fsync);
