/**
 * The sessions of one connection.
 *
 * Invariant: an id names the same session until it is destroyed, also across a restart if sessions are stored. A
 * session of another process can be listed, committed and discarded from here; it can be edited only after its owner
 * has exited and it was resumed.
 */
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { type Verdict, verdictOf } from '../evaluation/evaluation.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import { LocalEvaluator } from '../evaluation/local-evaluator.ts';
import { meritOf, type RankedSession, rankBy } from '../evaluation/ranking.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { type LanguageId, languageId, languageOf } from '../servers/language.ts';
import type { Scope } from '../servers/projection.ts';
import { Baseline } from '../workspace/baseline.ts';
import { SessionNotFound, TooManySessions } from './failure.ts';
import { Session } from './session.ts';
import { detailsOf, type SessionDetails } from './session-details.ts';
import { BorrowingKeeper, OwnerKeeper, type SessionKeeper } from './session-keeper.ts';
import { isOwnedElsewhere, type StoredSession } from './session-record.ts';
import { isLive, type SessionState } from './session-state.ts';
import { SessionStore } from './session-store.ts';

export interface SessionsOptions {
  /** Opens the workspace of a session that is resumed. */
  readonly workspaces: Pick<ConnectionWorkspaces, 'open' | 'use' | 'user'>;
  readonly log: Log;
  /** What judges their edits; absent: this process. */
  readonly evaluatorOf?: ((live: LiveWorkspace) => Evaluator) | undefined;
  /** Where sessions are stored for other processes and across restarts; without it they live in memory only. */
  readonly archiveDirectory?: string | undefined;
  readonly maxSessions?: number;
  /** A session untouched for this long is discarded and destroyed. */
  readonly idleMs?: number;
}

export interface SessionSummary extends Pick<SessionDetails, 'author' | 'title'> {
  readonly id: string;
  readonly workspaceRoot: string;
  readonly language: LanguageId;
  readonly state: string;
  readonly edits: number;
  readonly files: readonly string[];
  readonly createdAt: number;
  /** What the last evaluation of the current edits found; absent if there is none. */
  readonly verdict?: Verdict['kind'] | undefined;
  /** Left by an earlier process; `resume` restores it. */
  readonly isResumable: boolean;
  /** The other process that owns it; it can be committed and discarded here, but not edited. */
  readonly ownerPid?: number;
}

/** A change to keep as a session. */
export interface KeptChange extends Pick<SessionDetails, 'author' | 'title'> {
  readonly live: LiveWorkspace;
  readonly overlay: Overlay;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #log: Log;
  readonly #store: SessionStore | undefined;
  readonly #live = new Map<string, Session>();
  readonly #oneCall = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#log = options.log.child('session');
    const { archiveDirectory: directory, workspaces } = options;
    if (directory === undefined) return;
    const { stateDirectory } = workspaces.user;
    this.#store = new SessionStore({ directory, stateDirectory, log: this.#log });
  }

  /** Where the sessions of this user are stored; undefined if these live in memory only. */
  get store(): SessionStore | undefined {
    return this.#store;
  }

  /** Keeps a change that was made elsewhere as a session of its own. No server is needed for it. */
  async keep({ live, overlay, ...details }: KeptChange, signal: AbortSignal): Promise<Session> {
    const [path] = overlay.layer().keys();
    const language =
      path === undefined ? languageId('plaintext') : (languageOf(path) ?? languageId('plaintext'));
    const keeper = this.#store && new OwnerKeeper(this.#store);
    const session = new Session({ ...this.#parts(live, language, keeper), details });
    await session.store(signal);
    this.#live.set(session.id, session);
    await session.transform(async () => overlay, signal);
    return session;
  }

  /** Creates a session; fails if no server for the language can be found. */
  async create(
    request: {
      readonly live: LiveWorkspace;
      readonly language: LanguageId;
      readonly lifetime?: 'kept' | 'one-call';
      readonly author?: string | undefined;
      readonly title?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<Session> {
    const { live, language, lifetime = 'kept', author, title } = request;
    await this.#expire();
    const limit = this.#options.maxSessions ?? 200;
    if (this.#live.size >= limit) throw new TooManySessions(limit);
    await live.servers.locate(language, signal);
    const keeper = lifetime === 'kept' && this.#store ? new OwnerKeeper(this.#store) : undefined;
    const details = { author, title };
    const session = new Session({ ...this.#parts(live, language, keeper), details });
    await session.store(signal);
    this.#live.set(session.id, session);
    if (lifetime === 'one-call') this.#oneCall.add(session.id);
    this.#log.debug('session.created', {
      session_id: session.id,
      workspace_root: live.workspace.root,
      language,
    });
    return session;
  }

  find(id: string): Session {
    const session = this.#live.get(id);
    if (!session) throw new SessionNotFound(id);
    return session;
  }

  /** The sessions of this process. */
  get live(): readonly SessionSummary[] {
    return [...this.#live.values()].map((session) => summaryOfLive(session));
  }

  /** The sessions of this connection, and those of other processes and earlier runs that have not ended. */
  async list(): Promise<readonly SessionSummary[]> {
    await this.#expire();
    const stored = (await this.#store?.list()) ?? [];
    const ends = new Map(stored.map(({ id, end }) => [String(id), end]));
    const own = this.live.map((session) => ({ ...session, state: ends.get(session.id) ?? session.state }));
    const others = stored.filter(({ id, end }) => !this.#live.has(id) && end === undefined);
    return [...own, ...others.map(summaryOfStored)];
  }

  /** Restores a session that an earlier process left. If its overlay was lost, it is dirty. */
  async resume(id: string, signal: AbortSignal): Promise<Session> {
    const known = this.#live.get(id);
    if (known) return known;
    const stored = await this.#store?.find(id);
    if (!stored || !this.#store) throw new SessionNotFound(id);
    const keeper = new OwnerKeeper(this.#store);
    await keeper.adopt(stored, signal);
    const { live } = await this.#options.workspaces.open(stored.workspaceRoot, signal);
    const session = await this.#restored(stored, live, keeper);
    this.#live.set(session.id, session);
    return session;
  }

  /** A session to commit or discard: one of this connection, or of another process. */
  async reach(id: string, signal: AbortSignal): Promise<Session> {
    const known = this.#live.get(id);
    if (known) return known;
    const stored = await this.#store?.find(id);
    if (!stored || !this.#store) throw new SessionNotFound(id);
    const { live } = await this.#options.workspaces.use(stored.workspaceRoot, signal);
    return this.#restored(stored, live, new BorrowingKeeper(this.#store));
  }

  /** Ends a session in any state. An unknown id is no error. */
  async destroy(id: string): Promise<'destroyed' | 'already_destroyed'> {
    const wasLive = this.#live.delete(id);
    // A session made for one call was never stored, and most are of that kind: the store is not queried for it.
    const wasStored = this.#oneCall.delete(id) ? false : await this.#forget(id);
    if (!wasLive && !wasStored) return 'already_destroyed';
    this.#log.debug('session.destroyed', { session_id: id });
    return 'destroyed';
  }

  /** A session that another process owns is discarded; its record stays until that process has noticed. */
  async #forget(id: string): Promise<boolean> {
    const found = await this.#store?.find(id);
    if (!found || !this.#store) return false;
    using held = await this.#store.hold(found, new AbortController().signal);
    const { stored } = held;
    if (!stored) return false;
    if (!isOwnedElsewhere(stored)) await held.forget();
    else if (stored.end === undefined) await held.end('discarded');
    return true;
  }

  /** Ranks several sessions, evaluating in parallel those without a current evaluation. */
  async compare(
    ids: readonly string[],
    options: { readonly scope: Scope; readonly timeoutMs?: number | undefined },
    signal: AbortSignal,
  ): Promise<readonly RankedSession[]> {
    const sessions = ids.map((id) => this.find(id));
    const evaluated = sessions.map(async (session) => {
      const evaluation = await session.evaluate({ ...options, answer: 'current' }, signal);
      const verdict = verdictOf(evaluation);
      const changes = await session.overlay.changes('stack');
      return { id: session.id, evaluation, verdict, merit: meritOf(verdict.kind, [evaluation], changes) };
    });
    return rankBy(await Promise.all(evaluated), ({ merit }) => merit);
  }

  #parts(
    live: LiveWorkspace,
    language: LanguageId,
    keeper: SessionKeeper | undefined,
  ): ConstructorParameters<typeof Session>[0] {
    const restore = (stored: StoredSession): Promise<SessionState> => this.#restoredState(stored, live);
    const { evaluatorOf = () => new LocalEvaluator(live, this.#log) } = this.#options;
    const evaluator = evaluatorOf(live);
    return { live, evaluator, language, log: this.#log, keeper, restore };
  }

  async #restored(stored: StoredSession, live: LiveWorkspace, keeper: SessionKeeper): Promise<Session> {
    return new Session(
      { ...this.#parts(live, stored.language, keeper), details: detailsOf(stored) },
      {
        id: stored.id,
        createdAt: stored.createdAt,
        edits: stored.edits,
        state: await this.#restoredState(stored, live),
      },
    );
  }

  async #restoredState(stored: StoredSession, live: LiveWorkspace): Promise<SessionState> {
    if (stored.end) return { kind: stored.end };
    try {
      const overlay = await this.#store?.overlayOf(stored, new Baseline(live.disk.source));
      if (!overlay) throw new SessionNotFound(stored.id);
      return { kind: stored.edits.length > 0 ? 'mutated' : 'created', overlay };
    } catch (thrown) {
      // Another process may have ended it, and removed its overlay, since the record was read.
      const end = (await this.#store?.read(stored))?.end;
      if (end) return { kind: end };
      const code = thrown instanceof Failure ? thrown.code : undefined;
      this.#log.error('session.dirty', {
        session_id: stored.id,
        step: 'resume',
        code,
        error: messageOf(thrown),
      });
      return {
        kind: 'dirty',
        reason: `its edits could not be read back: ${messageOf(thrown)}`,
        cause: thrown,
      };
    }
  }

  async #expire(): Promise<void> {
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    const oldest = Date.now() - idleMs;
    for (const session of [...this.#live.values()]) {
      if (session.history.lastUsedAt >= oldest) continue;
      this.#log.info('session.expired', { session_id: session.id });
      await this.destroy(session.id);
    }
  }
}

function filesOf(session: Session): readonly string[] {
  return [...session.overlay.layer().keys()].sort();
}

function summaryOfLive(session: Session): SessionSummary {
  const { edits, createdAt, details } = session.history;
  return {
    id: session.id,
    workspaceRoot: session.workspace.root,
    language: session.language,
    state: session.state.kind,
    edits: edits.length,
    files: isLive(session.state) ? filesOf(session) : [],
    createdAt,
    ...describedBy(details),
    isResumable: false,
  };
}

function summaryOfStored(stored: StoredSession): SessionSummary {
  const isElsewhere = isOwnedElsewhere(stored);
  return {
    id: stored.id,
    workspaceRoot: stored.workspaceRoot,
    language: stored.language,
    state: stored.state,
    edits: stored.edits.length,
    files: [...new Set(stored.edits.map(({ path }) => path))].sort(),
    createdAt: stored.createdAt,
    ...describedBy(stored),
    isResumable: !isElsewhere,
    ...(isElsewhere && { ownerPid: stored.owner.pid }),
  };
}

function describedBy({ author, title, evaluation }: SessionDetails): Partial<SessionSummary> {
  return {
    ...(author !== undefined && { author }),
    ...(title !== undefined && { title }),
    ...(evaluation && { verdict: evaluation.verdict.kind }),
  };
}
