/**
 * An isolated future of a workspace: edits that exist nowhere but in an overlay, and what they would do.
 *
 * Invariants: operations on one session run one after another; a failed one leaves the session as it was;
 * a session is valid or dirty, never in between; the disk is written only by `commit`.
 */
import { randomUUID } from 'node:crypto';
import type { Brand } from '../base/brand.ts';
import { Deadline } from '../base/deadline.ts';
import { Failure } from '../base/failure.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import type { Log } from '../base/log.ts';
import type { Evaluation, Finding } from '../evaluation/evaluation.ts';
import { evaluationTime } from '../evaluation/evaluation-time.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import { servingLanguage } from '../evaluation/server-assignment.ts';
import { isSafeToApply } from '../evaluation/verdict.ts';
import { evaluateWhole } from '../evaluation/whole-evaluation.ts';
import type { Executor } from '../live/executor.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isAnsweredFor } from '../servers/file-bearing.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/way.ts';
import { applyTextEdits, type TextEdit } from '../text/text-edit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type CommitOptions, type CommitResult, renderCommit } from './commit-result.ts';
import {
  ChainFailed,
  SessionConflict,
  SessionDirty,
  SessionNotCommittable,
  SessionNotEvaluable,
  SessionTerminal,
} from './failure.ts';
import { isLive, type SessionState } from './session-state.ts';

export type SessionId = Brand<string, 'SessionId'>;

/** One edit as it was made; a whole patch or a file operation has no range. */
export interface EditRecord {
  readonly path: WorkspacePath;
  readonly edit?: TextEdit;
  readonly version: number;
}

interface EditRequest {
  readonly path: WorkspacePath;
  readonly edit: TextEdit;
  /** How long a server may take to be ready; absent: as long as it takes. */
  readonly timeoutMs?: number | undefined;
}

export interface EditOutcome {
  /** How many edits this session has made to that file. */
  readonly versionAfter: number;
  /** Set when this edit was the first to touch the file, so that its baseline was taken now. */
  readonly baselineConfidence?: 'high' | 'partial';
}

export interface ChainResult {
  readonly steps: readonly {
    readonly step: number;
    readonly netDelta: number;
    readonly introduced: readonly Finding[];
    readonly evaluation: Evaluation;
  }[];
  /** The last step at which the whole is measured to be no worse than the start; 0 when there is none. */
  readonly safeToApplyThroughStep: number;
  /** The length of the longest run of steps from the first that are all safe in that sense. */
  readonly safePrefixThroughStep: number;
  readonly cumulativeDelta: number;
}

export interface SessionParts {
  readonly executor: Executor;
  readonly evaluator: Evaluator;
  readonly language: LanguageId;
  readonly log: Log;
  /** Called after every change of what the session holds, before the change is reported to the caller. */
  readonly onChange: (session: Session) => Promise<void>;
}

/** What a session is put together from when it comes back after a restart. */
export interface RestoredSession {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly edits: readonly EditRecord[];
  readonly state: SessionState;
}

/** A baseline taken on the first edit of a file waits no longer than this. */
const firstBaselineTimeoutMs = 3000;

/** The longest time that a timer can be set to. */
const maxTimeoutMs = 2 ** 31 - 1;

export class Session {
  readonly id: SessionId;
  readonly language: LanguageId;
  readonly createdAt: number;
  readonly #parts: SessionParts;
  readonly #lock = new FifoLock();
  #edits: readonly EditRecord[];
  #state: SessionState;
  #lastUsedAt = Date.now();
  /** The state of the disk before the last evaluation. */
  #evaluatedAtEpoch: number | undefined;

  constructor(parts: SessionParts, restored?: RestoredSession) {
    this.#parts = parts;
    this.language = parts.language;
    this.id = restored?.id ?? (randomUUID() as SessionId);
    this.createdAt = restored?.createdAt ?? Date.now();
    this.#edits = restored?.edits ?? [];
    this.#state = restored?.state ?? { kind: 'created', overlay: this.emptyOverlay() };
  }

  get workspace(): Workspace {
    return this.#parts.executor.workspace;
  }

  get state(): SessionState {
    return this.#state;
  }

  get edits(): readonly EditRecord[] {
    return this.#edits;
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** What the session shows; nothing once it has ended. */
  get overlay(): Overlay {
    return isLive(this.#state) ? this.#state.overlay : this.emptyOverlay();
  }

  /** An overlay without changes on the disk as it is first read. */
  emptyOverlay(): Overlay {
    return this.#parts.executor.emptyOverlay();
  }

  /** Replaces one range of a file; the file's baseline is taken if this is its first edit. */
  edit(path: WorkspacePath, edit: TextEdit, signal: AbortSignal): Promise<EditOutcome> {
    return this.#exclusively(signal, () => this.#edit({ path, edit }, signal));
  }

  /** As `edit`, but a baseline that a server is not ready for in time is left to the evaluation. */
  editWithin(
    request: EditRequest & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<EditOutcome> {
    return this.#exclusively(signal, () => this.#edit(request, signal));
  }

  /** Changes the overlay as a whole: a patch, a created, deleted or renamed file. */
  transform(change: (overlay: Overlay) => Promise<Overlay>, signal: AbortSignal): Promise<void> {
    return this.#exclusively(signal, async () => {
      const before = this.#liveOverlay();
      const after = await change(before);
      const touched = [...after.layer()].filter(([path, entry]) => before.layer().get(path) !== entry);
      const edits = touched.map(([path]) => ({ path, version: this.#nextVersion(path) }));
      await this.#become({ kind: 'mutated', overlay: after }, [...this.#edits, ...edits]);
    });
  }

  /** Measures the edits against the baseline. Observes only. */
  evaluate(
    options: { readonly scope: Scope; readonly timeoutMs?: number },
    signal: AbortSignal,
  ): Promise<Evaluation> {
    return this.#exclusively(signal, () => this.#evaluate(options, signal));
  }

  /** As `evaluate`, but what has been proved of these edits on the disk as it still is, is not measured again. */
  currentEvaluation(
    options: { readonly scope: Scope; readonly timeoutMs?: number },
    signal: AbortSignal,
  ): Promise<Evaluation> {
    return this.#exclusively(signal, async () => {
      const state = this.#state;
      if (state.kind !== 'evaluated') return this.#evaluate(options, signal);
      const { scope, confidence } = state.evaluation;
      await this.#parts.executor.look(signal);
      const isCurrent = this.#evaluatedAtEpoch === this.#parts.executor.disk.epoch;
      if (isCurrent && scope === options.scope && confidence === 'high') return state.evaluation;
      return this.#evaluate(options, signal);
    });
  }

  /** Applies edits one after another, measuring the whole after each; positions refer to the text after the one before. */
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
      return summarise(steps);
    });
  }

  /** Hands the edits over as a patch, writes them to the disk, or writes the resulting files elsewhere. */
  commit(options: CommitOptions, signal: AbortSignal): Promise<CommitResult> {
    return this.#exclusively(signal, async () => {
      const startedAt = performance.now();
      const state = this.#state;
      if (state.kind === 'dirty') throw this.#dirty(state);
      if (state.kind !== 'mutated' && state.kind !== 'evaluated') {
        throw new SessionNotCommittable(this.id, state.kind);
      }
      const patch = await renderCommit(this.workspace, state.overlay, options.patchFormat);
      const { written, warnings } = await this.#write(state.overlay, options.destination, signal);
      await this.#become({ kind: 'committed' });
      this.#log('session.committed', { files_written: written, duration_ms: elapsed(startedAt) });
      return { filesWritten: written, patch, warnings };
    });
  }

  /** Drops the edits. Servers show nothing of them any more: a lease lays its overlay off when it ends. */
  discard(signal: AbortSignal): Promise<void> {
    return this.#exclusively(signal, async () => {
      this.#liveOverlay();
      await this.#become({ kind: 'discarded' });
      this.#log('session.discarded', { edit_count: this.#edits.length });
    });
  }

  async #edit({ path, edit, timeoutMs }: EditRequest, signal: AbortSignal): Promise<EditOutcome> {
    const overlay = this.#liveOverlay();
    const edited = await overlay.editText(path, (text) => applyTextEdits(text, [edit]));
    const isFirst = !this.#edits.some((known) => known.path === path);
    const baselineConfidence = isFirst
      ? await this.#takeBaseline(edited, { path, timeoutMs }, signal)
      : undefined;
    const version = this.#nextVersion(path);
    await this.#become({ kind: 'mutated', overlay: edited }, [...this.#edits, { path, edit, version }]);
    this.#log('session.edit_applied', { file: path, range: edit.range, version_after: version });
    return { versionAfter: version, ...(baselineConfidence && { baselineConfidence }) };
  }

  /** The baseline must be known before the edit counts, so that a file is never judged against its own change. */
  async #takeBaseline(
    edited: Overlay,
    { path, timeoutMs }: Omit<EditRequest, 'edit'>,
    signal: AbortSignal,
  ): Promise<'high' | 'partial'> {
    const { executor } = this.#parts;
    const language = await this.#languageOf(path, signal);
    if (language === undefined) return 'partial';
    using deadline = new Deadline(timeoutMs ?? maxTimeoutMs, signal);
    const showing = await executor.showing(edited, { language }, signal);
    const exists = executor.disk.exists(path);
    try {
      const [answer] = await executor.baseline(
        { ...showing, effect: new Map() },
        exists ? [path] : [],
        {
          timeoutMs: Math.min(firstBaselineTimeoutMs, timeoutMs ?? firstBaselineTimeoutMs),
          whileLeasing: deadline.signal,
        },
        signal,
      );
      if (answer?.proof.kind !== 'none') return 'high';
    } catch (thrown) {
      if (!deadline.expired || thrown !== deadline.signal.reason) throw thrown;
    }
    this.#log('session.baseline_timeout', { file: path });
    return 'partial';
  }

  /** The language whose server answers for a file: the session's own, else the file's; undefined where there is none. */
  async #languageOf(path: WorkspacePath, signal: AbortSignal): Promise<LanguageId | undefined> {
    const { executor } = this.#parts;
    const { definition } = await executor.serverFor(this.language, signal);
    if (isAnsweredFor(definition, path)) return this.language;
    try {
      return await servingLanguage(executor, path, signal);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return undefined;
    }
  }

  async #evaluate(
    { scope, timeoutMs }: { readonly scope: Scope; readonly timeoutMs?: number },
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
      };
      const { executor, evaluator } = this.#parts;
      const { epoch } = executor.disk;
      const evaluation = await evaluateWhole(evaluator, request, signal);
      this.#evaluatedAtEpoch = epoch;
      this.#state = { kind: 'evaluated', overlay, evaluation };
      const { durationMs, netDelta, confidence } = evaluation;
      this.#log('session.evaluation_complete', { duration_ms: durationMs, net_delta: netDelta, confidence });
      return evaluation;
    } catch (thrown) {
      // Whatever the server suffered, the overlay is whole: the next evaluation shows it to a new one.
      this.#state = prior;
      throw thrown;
    }
  }

  async #write(
    overlay: Overlay,
    destination: CommitOptions['destination'],
    signal: AbortSignal,
  ): Promise<{ written: number; warnings: readonly string[] }> {
    if (destination.kind === 'patch') return { written: 0, warnings: [] };
    const options = { durability: 'power', onConflict: destination.onConflict } as const;
    const outcome =
      destination.kind === 'directory'
        ? await this.#parts.executor.writeInto(destination.path, overlay, options, signal)
        : await this.#parts.executor.commit(overlay, options, signal);
    if (outcome.kind === 'conflict') throw new SessionConflict(this.id, outcome.paths);
    return { written: outcome.written.length, warnings: outcome.warnings };
  }

  async #become(state: SessionState, edits = this.#edits): Promise<void> {
    const prior = { state: this.#state, edits: this.#edits };
    this.#state = state;
    this.#edits = edits;
    try {
      await this.#parts.onChange(this);
    } catch (thrown) {
      if (isLive(state)) {
        this.#state = prior.state;
        this.#edits = prior.edits;
      }
      throw thrown;
    }
  }

  async #exclusively<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _held = await this.#lock.acquire(signal);
    this.#lastUsedAt = Date.now();
    return await work();
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

function summarise(steps: ChainResult['steps']): ChainResult {
  const firstUnsafe = steps.findIndex(({ evaluation }) => !isSafeToApply(evaluation));
  return {
    steps,
    safeToApplyThroughStep: steps.findLast(({ evaluation }) => isSafeToApply(evaluation))?.step ?? 0,
    safePrefixThroughStep: firstUnsafe < 0 ? steps.length : firstUnsafe,
    cumulativeDelta: steps.at(-1)?.netDelta ?? 0,
  };
}

function elapsed(since: number): number {
  return Math.round(performance.now() - since);
}
