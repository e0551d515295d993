/**
 * The sessions of one connection.
 *
 * Invariant: an id handed out names the same session until it is destroyed, across a restart too where an
 * archive is kept; nobody else's sessions can be reached from here.
 */
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { LocalEvaluator } from '../evaluation/local-evaluator.ts';
import { meritOf, type RankedSession, rankBy } from '../evaluation/ranking.ts';
import { verdictOf } from '../evaluation/verdict.ts';
import type { Executor } from '../live/executor.ts';
import type { OpenWorkspaces } from '../live/open-workspaces.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/way.ts';
import { Baseline } from '../workspace/baseline.ts';
import { SessionNotFound, TooManySessions } from './failure.ts';
import { Session } from './session.ts';
import { SessionArchive, type SessionRecord } from './session-archive.ts';
import { isLive, type SessionState } from './session-state.ts';

export interface SessionsOptions {
  readonly workspaces: OpenWorkspaces;
  readonly log: Log;
  /** Where sessions are kept across restarts; without it they live in memory only. */
  readonly archiveDirectory?: string;
  readonly maxSessions?: number;
  /** A session untouched for this long is discarded and destroyed. */
  readonly idleMs?: number;
}

export interface SessionSummary {
  readonly id: string;
  readonly workspaceRoot: string;
  readonly language: LanguageId;
  readonly state: string;
  readonly edits: number;
  readonly files: readonly string[];
  readonly createdAt: number;
  /** Left by an earlier process: `resume` brings it back. */
  readonly isResumable: boolean;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #log: Log;
  readonly #archive: SessionArchive | undefined;
  readonly #live = new Map<string, Session>();
  readonly #oneCall = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#log = options.log.child('session');
    this.#archive =
      options.archiveDirectory === undefined
        ? undefined
        : new SessionArchive(options.archiveDirectory, this.#log);
  }

  /** Begins a session; fails where no server for the language can be found. */
  async create(
    request: {
      readonly executor: Executor;
      readonly language: LanguageId;
      readonly lifetime?: 'kept' | 'one-call';
    },
    signal: AbortSignal,
  ): Promise<Session> {
    const { executor, language, lifetime = 'kept' } = request;
    await this.#expire();
    const limit = this.#options.maxSessions ?? 200;
    if (this.#live.size >= limit) throw new TooManySessions(limit);
    await executor.serverFor(language, signal);
    const session = new Session(this.#parts(executor, language, lifetime));
    this.#live.set(session.id, session);
    if (lifetime === 'kept') await this.#archive?.keep(session);
    else this.#oneCall.add(session.id);
    this.#log.debug('session.created', {
      session_id: session.id,
      workspace_root: executor.workspace.root,
      language,
    });
    return session;
  }

  find(id: string): Session {
    const session = this.#live.get(id);
    if (!session) throw new SessionNotFound(id);
    return session;
  }

  /** The sessions of this process as they stand. */
  get live(): readonly SessionSummary[] {
    return [...this.#live.values()].map((session) => summaryOfLive(session));
  }

  async list(): Promise<readonly SessionSummary[]> {
    await this.#expire();
    const kept = (await this.#archive?.list()) ?? [];
    return [...this.live, ...kept.filter(({ id }) => !this.#live.has(id)).map(summaryOfKept)];
  }

  /** Brings back a session that an earlier process left. One whose overlay was lost comes back dirty. */
  async resume(id: string, signal: AbortSignal): Promise<Session> {
    const live = this.#live.get(id);
    if (live) return live;
    const record = await this.#archive?.find(id);
    if (!record || !this.#archive) throw new SessionNotFound(id);
    const { executor } = await this.#options.workspaces.open(record.workspaceRoot, signal);
    const session = new Session(this.#parts(executor, record.language, 'kept'), {
      id: record.id,
      createdAt: record.createdAt,
      edits: record.edits,
      state: await this.#restoredState(record, executor),
    });
    this.#live.set(session.id, session);
    return session;
  }

  /** Ends a session in whatever state it is. An unknown id is none to worry about. */
  async destroy(id: string): Promise<'destroyed' | 'already_destroyed'> {
    const wasLive = this.#live.delete(id);
    // A session made for one call was never kept, and most are of that kind: the archive is not asked about it.
    const wasKept = this.#oneCall.delete(id) ? false : (await this.#archive?.find(id)) !== undefined;
    if (wasKept) await this.#archive?.forget(id);
    if (!wasLive && !wasKept) return 'already_destroyed';
    this.#log.debug('session.destroyed', { session_id: id });
    return 'destroyed';
  }

  /** Puts the best of several sessions first, evaluating at once those of which nothing current is known. */
  async compare(
    ids: readonly string[],
    options: { readonly scope: Scope; readonly timeoutMs?: number },
    signal: AbortSignal,
  ): Promise<readonly RankedSession[]> {
    const sessions = ids.map((id) => this.find(id));
    const evaluated = sessions.map(async (session) => {
      const evaluation = await session.currentEvaluation(options, signal);
      const verdict = verdictOf(evaluation);
      const changes = await session.overlay.changes('stack');
      return { id: session.id, evaluation, verdict, merit: meritOf(verdict.kind, [evaluation], changes) };
    });
    return rankBy(await Promise.all(evaluated), ({ merit }) => merit);
  }

  #parts(
    executor: Executor,
    language: LanguageId,
    lifetime: 'kept' | 'one-call',
  ): ConstructorParameters<typeof Session>[0] {
    const archive = lifetime === 'kept' ? this.#archive : undefined;
    return {
      executor,
      evaluator: new LocalEvaluator(executor, this.#log),
      language,
      log: this.#log,
      onChange: async (session) => archive?.keep(session),
    };
  }

  async #restoredState(record: SessionRecord, executor: Executor): Promise<SessionState> {
    try {
      const overlay = await this.#archive?.overlayOf(record.id, new Baseline(executor.disk.source));
      if (!overlay) throw new SessionNotFound(record.id);
      return { kind: record.edits.length > 0 ? 'mutated' : 'created', overlay };
    } catch (thrown) {
      const code = thrown instanceof Failure ? thrown.code : undefined;
      this.#log.error('session.dirty', {
        session_id: record.id,
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
      if (session.lastUsedAt >= oldest) continue;
      this.#log.info('session.expired', { session_id: session.id });
      await this.destroy(session.id);
    }
  }
}

function filesOf(session: Session): readonly string[] {
  return [...session.overlay.layer().keys()].sort();
}

function summaryOfLive(session: Session): SessionSummary {
  return {
    id: session.id,
    workspaceRoot: session.workspace.root,
    language: session.language,
    state: session.state.kind,
    edits: session.edits.length,
    files: isLive(session.state) ? filesOf(session) : [],
    createdAt: session.createdAt,
    isResumable: false,
  };
}

function summaryOfKept(record: SessionRecord): SessionSummary {
  return {
    id: record.id,
    workspaceRoot: record.workspaceRoot,
    language: record.language,
    state: record.state,
    edits: record.edits.length,
    files: [...new Set(record.edits.map(({ path }) => path))].sort(),
    createdAt: record.createdAt,
    isResumable: true,
  };
}
