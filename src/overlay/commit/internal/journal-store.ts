import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, isMissing } from '../../../base/errno.ts';
import { Failure } from '../../../base/failure.ts';
import { FileLock, type LockPlace } from '../../../process/file-lock.ts';
import { statePlaces } from '../../../storage/own-places.ts';
import { makePrivateDirectory, userId } from '../../../storage/user-directories.ts';
import { workspaceKey } from '../../../storage/workspace-key.ts';
import { type Journal, parseJournal, printJournal } from './journal.ts';
import { CorruptJournal, JournalUnavailable } from './transaction-failure.ts';
import { namesIn, removeIfEmpty, syncDirectories, unlinkIfThere } from './transaction-files.ts';

/** A transaction is named by a random identifier. */
export type TransactionId = string;

export type RecordedJournal = Journal & {
  /** `pending`: some of the steps may have been made. `committed`: all were made and stay. */
  readonly state: 'pending' | 'committed';
};

/**
 * The journals of one workspace, in the user's state directory.
 *
 * Invariant: a journal is created, changed and marked as committed by one rename each, so after a crash it is
 * complete. Only this user can write or read it. Nothing in a workspace is ever read as a journal.
 */
export class JournalStore {
  readonly directory: string;
  readonly stateDirectory: string;

  constructor(stateDirectory: string, workspaceRoot: string) {
    this.stateDirectory = stateDirectory;
    this.directory = join(statePlaces.journals(stateDirectory), workspaceKey(workspaceRoot));
  }

  /** Acquires the commit lock of the workspace, which lies in the directory; fails if no journal can be stored. */
  async lock(signal: AbortSignal): Promise<FileLock> {
    try {
      this.#lockPlace.makeDirectory();
      return await FileLock.acquire(this.#lockPlace, signal);
    } catch (thrown) {
      if (thrown instanceof Failure || errnoOf(thrown) === undefined) throw thrown;
      throw new JournalUnavailable(this.directory, thrown);
    }
  }

  /** Undefined if a living process holds the lock. */
  tryLock(): FileLock | undefined {
    return FileLock.tryAcquire(this.#lockPlace);
  }

  /** Releases the lock, and removes the directory unless a journal was set aside in it. */
  unlock(lock: FileLock): void {
    lock[Symbol.dispose]();
    removeIfEmpty(this.directory);
  }

  /** The transactions with a journal. */
  transactions(): TransactionId[] {
    const ids = namesIn(this.directory).flatMap((name) => journalName.exec(name)?.[1] ?? []);
    return [...new Set(ids)];
  }

  /** A draft that was not renamed was never a journal. Only the holder of the lock may call this. */
  removeDrafts(): void {
    const drafts = namesIn(this.directory).filter((name) => draftName.test(name));
    for (const name of drafts) unlinkIfThere(join(this.directory, name));
  }

  async write(id: TransactionId, journal: Journal, durability: 'process' | 'power'): Promise<void> {
    const draft = this.#file(id, 'draft');
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(file, printJournal(journal));
      if (durability === 'power') await flush(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, this.#file(id, 'pending'));
    // The directory may be as new as the journal.
    const directories = [this.directory, statePlaces.journals(this.stateDirectory), this.stateDirectory];
    if (durability === 'power') await syncDirectories(directories, String);
  }

  /** The commit point. */
  async markCommitted(id: TransactionId, durability: 'process' | 'power'): Promise<void> {
    renameSync(this.#file(id, 'pending'), this.#file(id, 'committed'));
    if (durability === 'power') await syncDirectories([this.directory], String);
  }

  /** Undefined if there is none; throws a CorruptJournal if it cannot be used. */
  read(id: TransactionId): RecordedJournal | undefined {
    for (const state of ['committed', 'pending'] as const) {
      const text = readOwn(this.#file(id, state));
      if (text !== undefined) return { ...parseJournal(text, this.stateDirectory), state };
    }
    return undefined;
  }

  remove(id: TransactionId): void {
    for (const kind of ['draft', 'pending', 'committed'] as const) unlinkIfThere(this.#file(id, kind));
  }

  /** Renames a journal so that a person can inspect it and it is never read again. Returns its new name. */
  setAside(id: TransactionId): string {
    const directory = join(this.directory, 'set-aside');
    makePrivateDirectory(directory);
    let kept = directory;
    for (const kind of ['pending', 'committed'] as const) {
      try {
        renameSync(this.#file(id, kind), join(directory, `${id}.${kind}`));
        kept = join(directory, `${id}.${kind}`);
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown;
      }
    }
    return kept;
  }

  get #lockPlace(): LockPlace {
    return {
      file: join(this.directory, 'lock'),
      makeDirectory: () => {
        makePrivateDirectory(statePlaces.journals(this.stateDirectory));
        makePrivateDirectory(this.directory);
      },
    };
  }

  #file(id: TransactionId, kind: 'draft' | 'pending' | 'committed'): string {
    return join(this.directory, `${id}.${kind}`);
  }
}

const journalName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:pending|committed)$/;
const draftName = /^[0-9a-f-]{36}\.draft$/;

/** Some two million steps; a larger file was not written by a commit. */
const maximumBytes = 256 * 1024 * 1024;

const flush = promisify(fsync);

/** The text of a plain file of this user, opened without following a link and without waiting for a writer. */
function readOwn(file: string): string | undefined {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined;
    throw new CorruptJournal('it cannot be opened', { cause: thrown });
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw new CorruptJournal('it is no file');
    if (process.platform !== 'win32' && stats.uid !== userId())
      throw new CorruptJournal('another user owns it');
    if (stats.size > maximumBytes) throw new CorruptJournal('it is too large');
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}
