/**
 * The sessions of one user, shared between processes.
 *
 * Terms. The *owner* of a session is the process that created or resumed it last; only it edits the session. A session is
 * *held* while a process has its lock. It *ends* when it is committed or discarded.
 *
 * Invariants:
 * S1. Every change of a stored session is made while it is held. Reading needs no lock.
 * S2. A session ends at most once, by whichever process holds it first. A commit and the end of its session are one
 *     decision: after a crash both are true or neither is.
 * S3. The owner finds out about an end before its next operation, which then fails as for any ended session.
 * S4. An owner that has died leaves a session that any process may commit, discard or resume.
 * S5. A record that cannot be read is reported and left as it is; it hides no other session.
 */
import { randomUUID } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { CommitDecision } from '../overlay/commit/commit-decision.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { FileLock } from '../process/file-lock.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import { Workspace } from '../workspace/workspace.ts';
import { SessionArchive, type SessionFolder } from './session-archive.ts';
import type { SessionEnd, SessionRecord, StoredSession } from './session-record.ts';

export interface SessionStoreOptions {
  readonly directory: string;
  /**
   * Where the journals of commits lie; a commit and the end of its session are one decision only for a store inside
   * it.
   */
  readonly stateDirectory: string;
  readonly log: Log;
}

export type SessionNotice =
  | { readonly kind: 'changed'; readonly session: StoredSession }
  | { readonly kind: 'removed'; readonly id: string };

export class SessionStore {
  readonly #archive: SessionArchive;
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#archive = new SessionArchive(options.directory, options.log);
  }

  /** Every session that can be read, including ended ones while their record is kept. */
  list(): Promise<readonly StoredSession[]> {
    return this.#archive.list();
  }

  find(id: string): Promise<StoredSession | undefined> {
    return this.#archive.find(id);
  }

  read(session: SessionFolder): Promise<StoredSession | undefined> {
    return this.#archive.read(session);
  }

  /** The overlay of a session, over `base`. Read again if its owner changed it meanwhile. */
  async overlayOf(session: StoredSession, base: FileSource): Promise<Overlay> {
    try {
      return await this.#archive.overlayOf(session, base);
    } catch (thrown) {
      const current = await this.#archive.read(session);
      if (!current || current.revision === session.revision) throw thrown;
      return this.overlayOf(current, base);
    }
  }

  /** Waits until no other process holds the session. */
  async hold(session: SessionFolder, signal: AbortSignal): Promise<HeldSession> {
    const file = `${this.#archive.folderOf(session)}.lock`;
    const makeDirectory = (): void => {
      makePrivateDirectory(this.#options.directory);
      makePrivateDirectory(file.slice(0, file.lastIndexOf(sep)));
    };
    const lock = await FileLock.acquire({ file, makeDirectory }, signal);
    try {
      lock.sweep();
      return new HeldSession(lock, {
        archive: this.#archive,
        stored: await this.#archive.read(session),
        folder: session,
        isDurableDecision: this.#isInStateDirectory,
      });
    } catch (thrown) {
      lock[Symbol.dispose]();
      throw thrown;
    }
  }

  /** Reports every change that any process makes to a stored session, until it is disposed. */
  async watch(listener: (notice: SessionNotice) => void, signal: AbortSignal): Promise<AsyncDisposable> {
    const { directory, log } = this.#options;
    makePrivateDirectory(directory);
    const watcher = await WorkspaceWatcher.start(await Workspace.open(directory), { log }, signal);
    let known = byId(await this.list());
    const compare = async (): Promise<void> => {
      const before = known;
      known = byId(await this.list());
      for (const [id, session] of known) {
        const earlier = before.get(id);
        if (earlier?.revision === session.revision && earlier.end === session.end) continue;
        listener({ kind: 'changed', session });
      }
      for (const id of before.keys()) if (!known.has(id)) listener({ kind: 'removed', id });
    };
    let comparing: Promise<void> = Promise.resolve();
    watcher.changes.subscribe(() => {
      comparing = comparing.then(compare).catch((thrown: unknown) => {
        log.error('session.notice-failed', { code: 'session/notice-failed', error: messageOf(thrown) });
      });
    });
    return {
      [Symbol.asyncDispose]: async () => {
        await watcher[Symbol.asyncDispose]();
        await comparing;
      },
    };
  }

  get #isInStateDirectory(): boolean {
    const { stateDirectory, directory } = this.#options;
    const below = relative(stateDirectory, directory);
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  }
}

interface HeldParts {
  readonly archive: SessionArchive;
  readonly stored: StoredSession | undefined;
  readonly folder: SessionFolder;
  readonly isDurableDecision: boolean;
}

/** A session while this process alone may change it. */
export class HeldSession implements Disposable {
  readonly #lock: FileLock;
  readonly #parts: HeldParts;

  constructor(lock: FileLock, parts: HeldParts) {
    this.#lock = lock;
    this.#parts = parts;
  }

  /** The record when the lock was acquired; undefined if nothing is stored. */
  get stored(): StoredSession | undefined {
    return this.#parts.stored;
  }

  /** Stores the session; without an overlay the stored one stays. */
  save(record: Omit<SessionRecord, 'version' | 'revision'>, overlay?: Overlay): Promise<void> {
    const revision = (this.stored?.revision ?? 0) + 1;
    return this.#parts.archive.write({ ...record, version: 2, revision }, overlay);
  }

  /** Ends the session. */
  async end(end: SessionEnd): Promise<void> {
    await this.#decision(end).decide();
  }

  /** The end of the session as part of a commit: the files stay if and only if the session has ended. */
  committed(): CommitDecision {
    return this.#decision('committed');
  }

  /** Removes the overlay of an ended session. Called after the commit, whose recovery needs only the outcome. */
  dropOverlay(): Promise<void> {
    return this.#parts.archive.dropOverlay(this.#parts.folder);
  }

  /** Removes the session from the store. */
  forget(): Promise<void> {
    return this.#parts.archive.forget(this.#parts.folder);
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  #decision(end: SessionEnd): CommitDecision {
    const { archive, folder, isDurableDecision } = this.#parts;
    const mark = randomUUID();
    return {
      ...(isDurableDecision && { place: { record: archive.outcomeFile(folder), mark } }),
      decide: () => archive.end(folder, end, mark),
    };
  }
}

function byId(sessions: readonly StoredSession[]): ReadonlyMap<string, StoredSession> {
  return new Map(sessions.map((session) => [session.id, session]));
}
