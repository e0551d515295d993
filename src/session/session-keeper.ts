/**
 * Connects one Session with its record in the store.
 *
 * Invariant: the owner's keeper never overwrites a record that another process ended or resumed; a borrowed session
 * is never stored, only ended.
 */
import { randomUUID } from 'node:crypto';
import type { Overlay } from '../overlay/overlay.ts';
import { SessionNotFound, SessionOwned } from './failure.ts';
import type { SessionFolder } from './session-archive.ts';
import {
  isOwnedElsewhere,
  ownedHere,
  type SessionEnd,
  type SessionRecord,
  type StoredSession,
} from './session-record.ts';
import type { HeldSession, SessionStore } from './session-store.ts';

/** What a session stores with every change. */
export type SessionSnapshot = Omit<SessionRecord, 'version' | 'revision' | 'owner'> & {
  /** Absent if it is unchanged since it was stored. */
  readonly overlay?: Overlay | undefined;
};

export interface SessionKeeper {
  /** How another process ended the session, if one did. Fails if this process no longer owns it. */
  end(session: SessionFolder): Promise<SessionEnd | undefined>;
  /** Locks the session against other processes until the result is disposed. */
  hold(session: SessionFolder, signal: AbortSignal): Promise<KeptHold>;
}

export interface KeptHold extends Disposable {
  readonly held: HeldSession;
  /** For a borrowed session, what its owner stored last; the owner's own state is always current. */
  readonly newest: StoredSession | undefined;
  save(snapshot: SessionSnapshot): Promise<void>;
}

/** The keeper of a session that this process creates or resumes. */
export class OwnerKeeper implements SessionKeeper {
  readonly #store: SessionStore;
  readonly #holder = randomUUID();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Takes the session over from an owner that has exited; fails if it is alive or the session is gone. */
  async adopt(session: StoredSession, signal: AbortSignal): Promise<void> {
    using held = await this.#store.hold(session, signal);
    const { stored } = held;
    if (!stored || stored.end) throw new SessionNotFound(session.id);
    refuseOwned(stored);
    await held.save({ ...stored, owner: ownedHere(this.#holder) });
  }

  async end(session: SessionFolder): Promise<SessionEnd | undefined> {
    return this.#endOf(await this.#store.read(session));
  }

  async hold(session: SessionFolder, signal: AbortSignal): Promise<KeptHold> {
    const held = await this.#store.hold(session, signal);
    try {
      this.#endOf(held.stored);
    } catch (thrown) {
      held[Symbol.dispose]();
      throw thrown;
    }
    return {
      held,
      newest: undefined,
      save: ({ overlay, ...record }) => held.save({ ...record, owner: ownedHere(this.#holder) }, overlay),
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }

  /** A record that was removed because it had not changed for long is written again with the next change. */
  #endOf(stored: StoredSession | undefined): SessionEnd | undefined {
    if (stored && stored.owner.holder !== this.#holder) throw new SessionOwned(stored.id, stored.owner.pid);
    return stored?.end;
  }
}

/** The keeper of a session that another process owns, or owned: it can be committed and discarded. */
export class BorrowingKeeper implements SessionKeeper {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  async end(session: SessionFolder): Promise<SessionEnd | undefined> {
    return (await this.#store.read(session))?.end;
  }

  async hold(session: SessionFolder, signal: AbortSignal): Promise<KeptHold> {
    const held = await this.#store.hold(session, signal);
    const { stored } = held;
    if (!stored) {
      held[Symbol.dispose]();
      throw new SessionNotFound(session.id);
    }
    return {
      held,
      newest: stored,
      save: async () => {
        throw new SessionOwned(stored.id, stored.owner.pid);
      },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }
}

function refuseOwned(stored: StoredSession): void {
  if (isOwnedElsewhere(stored)) throw new SessionOwned(stored.id, stored.owner.pid);
}
