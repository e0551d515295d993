import { randomUUID } from 'node:crypto';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { isDecided } from '../commit-decision.ts';
import { type Journal, journalNames, readJournal } from './journal.ts';
import {
  namesIn,
  removeTransaction,
  rmdirIfThere,
  syncDirectories,
  unlinkIfThere,
} from './transaction-files.ts';
import { TransactionLock } from './transaction-lock.ts';
import { statEntry } from './tree-entry.ts';
import { undoSteps } from './undo.ts';

/** What was done about transactions found unfinished. */
export interface Recovery {
  readonly finished: number;
  readonly undone: readonly WorkspacePath[];
  readonly kept: readonly WorkspacePath[];
}

/**
 * The place beside the sources where a commit prepares itself; the lock lies in it too.
 *
 * Invariant: while one is open no other process changes the workspace, and no unfinished transaction but
 * its own lies in it. Disposed of, it leaves nothing behind.
 */
export class TransactionDirectory implements AsyncDisposable {
  readonly #workspace: Workspace;
  readonly #root: string;
  readonly #lock: TransactionLock;
  /** Where the one transaction of this opening lies; it is made by the transaction itself. */
  readonly transaction: string;
  /** What had been left by others. */
  readonly recovered: Recovery;

  private constructor(workspace: Workspace, root: string, lock: TransactionLock, recovered: Recovery) {
    this.#workspace = workspace;
    this.#root = root;
    this.#lock = lock;
    this.recovered = recovered;
    this.transaction = join(root, `${transactionPrefix}${randomUUID()}`);
  }

  static async open(workspace: Workspace, signal: AbortSignal): Promise<TransactionDirectory> {
    const elsewhere = await TransactionDirectory.recoverAll(workspace);
    const root = await preferredRoot(workspace);
    const lock = await TransactionLock.acquire(root, signal);
    try {
      const recovered = both(elsewhere, await recoverIn(workspace, root));
      // A directory that ignores itself does not show in anybody's version control.
      writeFileSync(join(root, ignoreFile), '*\n');
      return new TransactionDirectory(workspace, root, lock, recovered);
    } catch (thrown) {
      await leave(root, lock);
      throw thrown;
    }
  }

  /** Recovers wherever a transaction may lie, except where a living process is at work. */
  static async recoverAll(workspace: Workspace): Promise<Recovery> {
    let recovery = nothing;
    for (const root of Object.values(possibleRoots(workspace))) {
      if ((await statEntry(root)) === undefined) continue;
      const lock = await TransactionLock.tryAcquire(root);
      if (lock === undefined) continue;
      try {
        recovery = both(recovery, await recoverIn(workspace, root));
      } finally {
        await leave(root, lock);
      }
    }
    return recovery;
  }

  /** Ends the transaction the way its journal says: undone before the commit point, cleaned up after it. */
  settle(onStep?: (step: string) => void): Promise<Recovery> {
    return settleTransaction(this.#workspace, this.transaction, onStep);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await leave(this.#root, this.#lock);
  }
}

const transactionPrefix = 'tx-';
const ignoreFile = '.gitignore';
const nothing: Recovery = { finished: 0, undone: [], kept: [] };

function possibleRoots({ root }: Workspace): { readonly inGit: string; readonly atRoot: string } {
  return { inGit: join(root, '.git', 'forerun-tx'), atRoot: join(root, '.forerun-tx') };
}

/** Inside `.git` nobody looks for sources; it must be a directory we may write, on the same file system. */
async function preferredRoot(workspace: Workspace): Promise<string> {
  const { inGit, atRoot } = possibleRoots(workspace);
  const git = await statEntry(dirname(inGit));
  const root = await statEntry(workspace.root);
  if (!git?.isDirectory() || git.dev !== root?.dev) return atRoot;
  return isWritable(dirname(inGit)) ? inGit : atRoot;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function recoverIn(workspace: Workspace, root: string): Promise<Recovery> {
  let recovery = nothing;
  for (const name of await namesIn(root)) {
    if (name.startsWith(transactionPrefix)) {
      recovery = both(recovery, await settleTransaction(workspace, join(root, name)));
    }
    // What a process killed while taking the lock left; one still waiting just tries again.
    if (/^lock(\.takeover)*-/.test(name)) await unlinkIfThere(join(root, name));
    if (name.endsWith('.takeover'))
      await (await TransactionLock.tryAcquire(root, name))?.[Symbol.asyncDispose]();
  }
  return recovery;
}

async function settleTransaction(
  workspace: Workspace,
  transaction: string,
  onStep?: (step: string) => void,
): Promise<Recovery> {
  const state = await readJournal(transaction);
  let recovery = nothing;
  if (state.kind === 'committed' || (state.kind === 'swapping' && (await staysBy(state.journal)))) {
    recovery = { ...nothing, finished: 1 };
  } else if (state.kind === 'swapping') {
    recovery = { finished: 0, ...(await undoSteps(workspace, transaction, state.journal.steps)) };
    await syncDirectories([...new Set(recovery.undone.map((path) => dirname(workspace.absolute(path))))]);
    // Without its journal the rest is mere staging: nothing can be undone a second time.
    for (const name of journalNames) await unlinkIfThere(join(transaction, name));
  }
  await removeTransaction(transaction, onStep);
  return recovery;
}

/** Whether what must come true together with the steps has. */
async function staysBy({ decidedAt }: Journal): Promise<boolean> {
  return decidedAt !== undefined && (await isDecided(decidedAt));
}

/** The directory goes with its last user; whoever waits for the lock makes it again. */
async function leave(root: string, lock: TransactionLock): Promise<void> {
  await unlinkIfThere(join(root, ignoreFile));
  await lock[Symbol.asyncDispose]();
  await rmdirIfThere(root);
}

function both(a: Recovery, b: Recovery): Recovery {
  return {
    finished: a.finished + b.finished,
    undone: [...a.undone, ...b.undone],
    kept: [...a.kept, ...b.kept],
  };
}
