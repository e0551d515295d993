/**
 * An isolated future of a workspace: edits that exist only in an overlay, and their effect.
 *
 * Invariants: operations on one session run one after another; a failed one leaves the session unchanged; a session
 * is valid or dirty, never in between; the disk is written only by `commit`.
 */
import { randomUUID } from 'node:crypto';
import { Failure, messageOf } from '../base/failure.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import type { Log } from '../base/log.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { EvaluationRequest, Evaluator } from '../evaluation/evaluator.ts';
import { evaluateWhole, evaluationTime } from '../evaluation/whole-evaluation.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { editText, type Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/projection.ts';
import { applyTextEdits, type TextEdit } from '../text/text-edit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type ChainResult, summariseChain } from './chain-result.ts';
import { type CommitOptions, type CommitResult, renderCommit } from './commit-result.ts';
import {
  ChainFailed,
  SessionDirty,
  SessionNotCommittable,
  SessionNotEvaluable,
  SessionTerminal,
} from './failure.ts';
import { takeBaseline } from './session-baseline.ts';
import { writeSession } from './session-commit.ts';
import {
  afterEdit,
  type CommandRecord,
  type SessionDetails,
  storedEvaluation,
  withCommands,
} from './session-details.ts';
import type { KeptHold, SessionKeeper } from './session-keeper.ts';
import type { EditRecord, SessionEnd, SessionId, StoredSession } from './session-record.ts';
import { isLive, type LiveSessionState, type SessionState } from './session-state.ts';

/** The replacement of one range of a file. */
export interface SessionEdit {
  readonly path: WorkspacePath;
  readonly edit: TextEdit;
  /** If no server is ready within this time, the baseline is left to the evaluation; absent: it is waited for. */
  readonly timeoutMs?: number | undefined;
}

export interface EvaluateOptions {
  readonly scope: Scope;
  readonly timeoutMs?: number | undefined;
  /** `current`: the last evaluation, if its scope is the same, its confidence high and the disk unchanged; absent: a new one. */
  readonly answer?: 'measured' | 'current' | undefined;
  /** Receives what is known before every file has answered. */
  readonly onPartial?: EvaluationRequest['onPartial'];
}

/** What happened to a session so far. */
export interface SessionHistory {
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly edits: readonly EditRecord[];
  readonly details: SessionDetails;
}

export interface EditOutcome {
  /** How many edits this session has made to that file. */
  readonly versionAfter: number;
  /** Set if this edit was the first of the file, so that its baseline was taken now. */
  readonly baselineConfidence?: 'high' | 'partial';
}

export interface SessionParts {
  readonly live: LiveWorkspace;
  readonly evaluator: Evaluator;
  readonly language: LanguageId;
  readonly log: Log;
  /** Stores every change before it is reported to the caller; absent for a session that no other process may see. */
  readonly keeper?: SessionKeeper | undefined;
  /** Who makes the session, and what for. */
  readonly details?: SessionDetails | undefined;
  /** Restores the state of a stored session. */
  readonly restore: (stored: StoredSession) => Promise<SessionState>;
}

/** The parts of a session that is resumed after a restart. */
export interface RestoredSession {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly edits: readonly EditRecord[];
  readonly state: SessionState;
}

export class Session {
  readonly id: SessionId;
  readonly language: LanguageId;
  readonly #createdAt: number;
  readonly #parts: SessionParts;
  readonly #lock = new FifoLock();
  #edits: readonly EditRecord[];
  #state: SessionState;
  #details: SessionDetails;
  #lastUsedAt = Date.now();
  /** The disk epoch before the last evaluation. */
  #evaluatedAtEpoch: number | undefined;

  constructor(parts: SessionParts, restored?: RestoredSession) {
    this.#parts = parts;
    this.language = parts.language;
    this.id = restored?.id ?? (randomUUID() as SessionId);
    this.#createdAt = restored?.createdAt ?? Date.now();
    this.#edits = restored?.edits ?? [];
    this.#details = parts.details ?? {};
    this.#state = restored?.state ?? { kind: 'created', overlay: parts.live.emptyOverlay() };
  }

  get workspace(): Workspace {
    return this.#parts.live.workspace;
  }

  get state(): SessionState {
    return this.#state;
  }

  get history(): SessionHistory {
    return {
      createdAt: this.#createdAt,
      lastUsedAt: this.#lastUsedAt,
      edits: this.#edits,
      details: this.#details,
    };
  }

  /** The overlay of the session; empty once it has ended. */
  get overlay(): Overlay {
    return isLive(this.#state) ? this.#state.overlay : this.#parts.live.emptyOverlay();
  }

  /** Replaces one range of a file; the file's baseline is taken if this is its first edit. */
  edit(request: SessionEdit, signal: AbortSignal): Promise<EditOutcome> {
    return this.#exclusively(signal, () => this.#edit(request, signal));
  }

  /** Changes the overlay as a whole: a patch, a created, deleted or renamed file. */
  transform(change: (overlay: Overlay) => Promise<Overlay>, signal: AbortSignal): Promise<void> {
    return this.#exclusively(signal, async () => {
      const before = this.#liveOverlay();
      const after = await change(before);
      const touched = [...after.layer()].filter(([path, entry]) => before.layer().get(path) !== entry);
      const edits = touched.map(([path]) => ({ path, version: this.#nextVersion(path) }));
      await this.#mutate(after, [...this.#edits, ...edits], signal);
    });
  }

  /** Measures the edits against the baseline; changes nothing. */
  evaluate(options: EvaluateOptions, signal: AbortSignal): Promise<Evaluation> {
    return this.#exclusively(signal, async () => {
      const kept =
        options.answer === 'current' ? await this.#currentEvaluation(options.scope, signal) : undefined;
      return kept ?? this.#evaluate(options, signal);
    });
  }

  /**
   * Applies edits one after another and evaluates the whole after each; positions refer to the text after the
   * previous one.
   */
  chain(
    edits: readonly { readonly path: WorkspacePath; readonly edit: TextEdit }[],
    options: { readonly scope?: Scope; readonly timeoutMs?: number | undefined },
    signal: AbortSignal,
  ): Promise<ChainResult> {
    return this.#exclusively(signal, async () => {
      const steps: ChainResult['steps'][number][] = [];
      for (const [index, { path, edit }] of edits.entries()) {
        const step = index + 1;
        await this.#edit({ path, edit, ...options }, signal).catch((thrown: unknown) => {
          throw new ChainFailed(step, 'applying edit', thrown);
        });
        const evaluation = await this.#evaluate({ scope: 'workspace', ...options }, signal).catch(
          (thrown: unknown) => {
            throw new ChainFailed(step, 'evaluating', thrown);
          },
        );
        steps.push({ step, netDelta: evaluation.netDelta, introduced: evaluation.introduced, evaluation });
      }
      return summariseChain(steps);
    });
  }

  /** Remembers what commands did, unless the session was edited while they ran. */
  recordCommands(
    { commands, ranOn }: { readonly commands: readonly CommandRecord[]; readonly ranOn: Overlay },
    signal: AbortSignal,
  ): Promise<void> {
    return this.#exclusively(signal, async () => {
      if (!isLive(this.#state) || this.#state.overlay !== ranOn) return;
      await this.#describe(withCommands(this.#details, commands), signal);
    });
  }

  /** Returns the edits as a patch, writes them to the disk, or writes the resulting files elsewhere. */
  commit(options: CommitOptions, signal: AbortSignal): Promise<CommitResult> {
    return this.#exclusively(signal, async () => {
      const startedAt = performance.now();
      using kept = await this.#hold(signal);
      const state = this.#state;
      if (state.kind === 'dirty') throw this.#dirty(state);
      if (state.kind !== 'mutated' && state.kind !== 'evaluated') {
        throw new SessionNotCommittable(this.id, state.kind);
      }
      const patch = await renderCommit(this.workspace, state.overlay, options.patchFormat);
      const { live } = this.#parts;
      const request = { id: this.id, overlay: state.overlay, destination: options.destination };
      const { written, warnings } = await writeSession(live, { ...request, hold: kept?.held }, signal);
      await this.#ended('committed', kept);
      this.#log('session.committed', { files_written: written, duration_ms: elapsed(startedAt) });
      return { filesWritten: written, patch, warnings };
    });
  }

  /** Drops the edits. A server that still shows them shows its next overlay first, or the disk once it is idle. */
  discard(signal: AbortSignal): Promise<void> {
    return this.#exclusively(signal, async () => {
      using kept = await this.#hold(signal);
      this.#liveOverlay();
      await kept?.held.end('discarded');
      await this.#ended('discarded', kept);
      this.#log('session.discarded', { edit_count: this.#edits.length });
    });
  }

  /** The last evaluation, as long as it still holds. */
  async #currentEvaluation(asked: Scope, signal: AbortSignal): Promise<Evaluation | undefined> {
    const state = this.#state;
    if (state.kind !== 'evaluated') return undefined;
    const { scope, confidence } = state.evaluation;
    await this.#parts.live.syncWithDisk(signal);
    const isCurrent = this.#evaluatedAtEpoch === this.#parts.live.disk.epoch;
    return isCurrent && scope === asked && confidence === 'high' ? state.evaluation : undefined;
  }

  async #edit({ path, edit, timeoutMs }: SessionEdit, signal: AbortSignal): Promise<EditOutcome> {
    const overlay = this.#liveOverlay();
    const edited = await editText(overlay, path, (text) => applyTextEdits(text, [edit]));
    const isFirst = !this.#edits.some((known) => known.path === path);
    const baseline = isFirst
      ? await takeBaseline({ ...this.#parts, edited, path, timeoutMs }, signal)
      : undefined;
    if (baseline === 'late') this.#log('session.baseline_timeout', { file: path });
    const version = this.#nextVersion(path);
    await this.#mutate(edited, [...this.#edits, { path, edit, version }], signal);
    this.#log('session.edit_applied', { file: path, range: edit.range, version_after: version });
    const baselineConfidence = baseline === 'high' ? 'high' : 'partial';
    return { versionAfter: version, ...(baseline && { baselineConfidence }) };
  }

  async #evaluate(
    { scope, timeoutMs, onPartial }: Omit<EvaluateOptions, 'answer'>,
    signal: AbortSignal,
  ): Promise<Evaluation> {
    const prior = this.#state;
    if (prior.kind === 'dirty') throw this.#dirty(prior);
    if (!isLive(prior)) throw new SessionNotEvaluable(this.id, prior.kind);
    const { overlay } = prior;
    this.#state = { kind: 'evaluating', overlay };
    this.#log('session.evaluation_start', { edit_count: this.#edits.length, scope });
    try {
      const request = {
        ...evaluationTime(scope, timeoutMs),
        workspace: this.workspace,
        overlay,
        mainLanguage: this.language,
        caller: 'session',
        onPartial,
      };
      const { live, evaluator } = this.#parts;
      const { epoch } = live.disk;
      const evaluation = await evaluateWhole(evaluator, request, signal);
      this.#evaluatedAtEpoch = epoch;
      this.#state = { kind: 'evaluated', overlay, evaluation };
      await this.#describe({ ...this.#details, evaluation: storedEvaluation(evaluation) }, signal);
      const { durationMs, netDelta, confidence } = evaluation;
      this.#log('session.evaluation_complete', { duration_ms: durationMs, net_delta: netDelta, confidence });
      return evaluation;
    } catch (thrown) {
      // Whatever happened to the server, the overlay is intact: the next evaluation shows it to a new one.
      this.#state = prior;
      throw thrown;
    }
  }

  /** Stores an edited overlay; if that fails, or another process has ended the session, the session is unchanged. */
  async #mutate(overlay: Overlay, edits: readonly EditRecord[], signal: AbortSignal): Promise<void> {
    using kept = await this.#hold(signal);
    this.#liveOverlay();
    const state: LiveSessionState = { kind: 'mutated', overlay };
    const details = afterEdit(this.#details);
    await kept?.save({ ...this.#identity, ...details, state: state.kind, edits, overlay });
    this.#state = state;
    this.#edits = edits;
    this.#details = details;
  }

  /**
   * Sets the details, also in the store for other processes to show. They are no part of the session: if they cannot
   * be stored, the operation they are about has still succeeded.
   */
  async #describe(details: SessionDetails, signal: AbortSignal): Promise<void> {
    this.#details = details;
    try {
      using kept = await this.#hold(signal);
      const edits = this.#edits;
      const { overlay } = this;
      const isStored = kept?.held.stored !== undefined;
      if (!isLive(this.#state)) return;
      const record = { ...this.#identity, ...details, state: this.#state.kind, edits };
      await kept?.save({ ...record, ...(!isStored && { overlay }) });
    } catch (thrown) {
      const code = thrown instanceof Failure ? thrown.code : 'session/details-lost';
      const error = messageOf(thrown);
      this.#parts.log.warning('session.details-lost', { session_id: this.id, code, error });
    }
  }

  /** Stores a new session. */
  async store(signal: AbortSignal): Promise<void> {
    using kept = await this.#hold(signal);
    const edits = this.#edits;
    const { overlay } = this;
    await kept?.save({ ...this.#identity, ...this.#details, state: 'created', edits, overlay });
  }

  async #ended(end: SessionEnd, kept: KeptHold | undefined): Promise<void> {
    this.#state = { kind: end };
    await kept?.held.dropOverlay();
  }

  /** Locks the session against other processes, and loads what they changed before. */
  async #hold(signal: AbortSignal): Promise<KeptHold | undefined> {
    const kept = await this.#parts.keeper?.hold(this.#identity, signal);
    if (!kept) return undefined;
    try {
      const { newest, held } = kept;
      const end = held.stored?.end;
      if (newest && !end) {
        this.#edits = newest.edits;
        this.#state = await this.#parts.restore(newest);
      }
      if (end && (newest || isLive(this.#state))) this.#state = { kind: end };
      return kept;
    } catch (thrown) {
      kept[Symbol.dispose]();
      throw thrown;
    }
  }

  async #exclusively<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _held = await this.#lock.acquire(signal);
    this.#lastUsedAt = Date.now();
    if (isLive(this.#state)) {
      const end = await this.#parts.keeper?.end(this.#identity);
      if (end) this.#state = { kind: end };
    }
    return await work();
  }

  get #identity() {
    const { id, language } = this;
    return { id, language, workspaceRoot: this.workspace.root, createdAt: this.#createdAt };
  }

  #liveOverlay(): Overlay {
    if (this.#state.kind === 'dirty') throw this.#dirty(this.#state);
    if (!isLive(this.#state)) throw new SessionTerminal(this.id, this.#state.kind);
    return this.#state.overlay;
  }

  #dirty({ reason, cause }: SessionState & { readonly kind: 'dirty' }): SessionDirty {
    return new SessionDirty(this.id, { reason, cause });
  }

  #nextVersion(path: WorkspacePath): number {
    return this.#edits.filter((known) => known.path === path).length + 1;
  }

  #log(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.#parts.log.debug(event, { session_id: this.id, ...fields });
  }
}

function elapsed(since: number): number {
  return Math.round(performance.now() - since);
}
