/**
 * What the unsaved text would do to the workspace, measured while it is typed.
 *
 * Invariants: nothing waits for a check. A change of unsaved text aborts the running check before anything else, and a
 * new one begins after a pause. So does a change on disk that the verdict may rest on, but only a few times in a row: then
 * the check ends, its evaluation names the doubt, and another one follows. A published evaluation is about exactly the text
 * whose versions it names; nothing older is published after it.
 */
import { Channel, nextOf } from '../base/channel.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Against } from '../evaluation/comparison-base.ts';
import type { EvaluationOutcome, EvaluationRequest, Evaluator } from '../evaluation/evaluator.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import { causesOf } from './future-cause.ts';
import { mayAffectVerdict } from './future-disk.ts';
import type { WireEvaluation } from './protocol/evaluation.ts';
import type { FutureState } from './protocol/future.ts';
import { unansweredEvaluation, wireEvaluationOf } from './wire-evaluation.ts';

export interface FutureParts {
  readonly live: LiveWorkspace;
  readonly buffers: Buffers;
  readonly evaluator: Evaluator;
  readonly publish: (state: FutureState) => void;
  readonly log: Log;
}

/** Shorter than the time between two keys of a person who types steadily would check every letter. */
const pauseMs = 120;

/** A disk that changes all the time restarts a check so often; then it ends, in doubt. */
const mostRestarts = 2;

/** A check that takes longer says how far it is, and no oftener than the eye follows. */
const progressMs = 300;

/** How long a server may take; until then the verdict is being checked, after it is unknown. */
const answerTimeoutMs = 30_000;

export class Future implements AsyncDisposable {
  /** Emits every state that is not `checking`. */
  readonly settled = new Channel<FutureState>();
  readonly #parts: FutureParts;
  readonly #subscriptions: readonly Disposable[];
  #state: FutureState = { kind: 'nothing' };
  #last: WireEvaluation | undefined;
  #isOn = true;
  #generation: number;
  #checks = 0;
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  /** How often the disk restarted the check of the current text. */
  #restarts = 0;
  /** The disk changed under the check that runs, which ends all the same. */
  #isOutdated = false;

  constructor(parts: FutureParts) {
    this.#parts = parts;
    const { buffers, live } = parts;
    this.#generation = buffers.generation;
    this.#subscriptions = [
      buffers.changed.subscribe(() => this.#bufferChanged()),
      // What other files hold decides what the unsaved text does to them.
      live.disk.changes.subscribe((events) => this.#diskChanged(events)),
    ];
    this.#begin('at-once');
  }

  get state(): FutureState {
    return this.#state;
  }

  /** The last evaluation, also while a new one runs. */
  get last(): WireEvaluation | undefined {
    return this.#last;
  }

  /** Checks although nothing changed. */
  check(): void {
    this.#begin('at-once');
  }

  enable(isOn: boolean): void {
    if (this.#isOn === isOn) return;
    this.#isOn = isOn;
    this.#begin('at-once');
  }

  /** The evaluation of the current unsaved text, when it is there; undefined if there is none to wait for. */
  async current(signal: AbortSignal): Promise<WireEvaluation | undefined> {
    if (this.#timer !== undefined) this.#begin('at-once');
    const state = this.#state.kind === 'checking' ? await nextOf(this.settled, signal) : this.#state;
    return state.kind === 'checked' ? state.evaluation : undefined;
  }

  /** What an overlay on the workspace would do; nothing is published. */
  evaluate(overlay: Overlay, signal: AbortSignal): Promise<WireEvaluation> {
    return this.#evaluate({ overlay, against: 'disk' }, signal);
  }

  /** As `evaluate`, for the uppermost layer alone: what lies beneath it is not compared. */
  evaluateLayer(overlay: Overlay, signal: AbortSignal): Promise<WireEvaluation> {
    return this.#evaluate({ overlay, against: 'beneath' }, signal);
  }

  async #evaluate(
    asked: Pick<EvaluationRequest, 'overlay' | 'onAnswered'> & { readonly against: Against },
    signal: AbortSignal,
  ): Promise<WireEvaluation> {
    const { live, evaluator } = this.#parts;
    const request = {
      ...asked,
      workspace: live.workspace,
      scope: 'workspace',
      timeoutMs: answerTimeoutMs,
      serverStart: 'unlimited',
      caller: 'editor',
    } as const;
    try {
      return evaluationOf(await evaluator.evaluate(request, signal));
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
      return unansweredEvaluation(`${thrown.message}. ${thrown.remedy}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#stop();
    await this.#running;
  }

  #bufferChanged(): void {
    const { generation } = this.#parts.buffers;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#restarts = 0;
    this.#begin('after-pause');
  }

  #diskChanged(events: readonly FileEvent[]): void {
    // A check that has not begun reads the disk when it begins.
    if (this.#timer !== undefined || !mayAffectVerdict(this.#parts.live, this.#unsaved, events)) return;
    if (this.#isRunning && this.#restarts >= mostRestarts) {
      this.#isOutdated = true;
      return;
    }
    if (this.#isRunning) this.#restarts += 1;
    this.#begin('after-pause');
  }

  #begin(when: 'at-once' | 'after-pause'): void {
    this.#stop();
    if (this.#unsaved.length === 0) {
      this.#settle({ kind: 'nothing' });
      return;
    }
    if (!this.#isOn) {
      this.#settle({ kind: 'unchecked', reason: 'off', detail: 'turned off' });
      return;
    }
    this.#showChecking();
    const start = (): void => {
      this.#timer = undefined;
      this.#running = this.#run(this.#abort.signal);
    };
    if (when === 'at-once') start();
    else this.#timer = setTimeout(start, pauseMs);
  }

  #showChecking(): void {
    const state = this.#state;
    // The count of a check that was given up says nothing about the next one.
    if (state.kind === 'checking' && state.answered === undefined) return;
    const files =
      state.kind === 'checked'
        ? state.evaluation.counts.files
        : state.kind === 'checking'
          ? state.files
          : undefined;
    this.#show({ kind: 'checking', ...(files !== undefined && { files }) });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#abort.abort(new Error('the text changed'));
    this.#abort = new AbortController();
    this.#isRunning = false;
    this.#isOutdated = false;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { buffers, log } = this.#parts;
    const overlay = buffers.overlay();
    const versions = Object.fromEntries(buffers.all.map(({ path, version }) => [path, version]));
    const unsaved = [...this.#unsaved];
    this.#isRunning = true;
    try {
      using progress = this.#showProgress(signal);
      const evaluation = await this.#evaluate(
        { overlay, against: 'disk', onAnswered: progress.note },
        signal,
      );
      const causes = await causesOf(overlay, evaluation);
      if (signal.aborted) return;
      this.#last = evaluation;
      this.#checks += 1;
      const without = evaluation.unserved;
      if (evaluation.servers.length === 0 && without.length > 0) {
        return this.#settle({ kind: 'unchecked', reason: 'no-server', detail: noServerFor(without) });
      }
      this.#settle({
        kind: 'checked',
        check: this.#checks,
        unsaved,
        versions,
        evaluation,
        causes: [...causes],
      });
    } catch (thrown) {
      if (signal.aborted) return;
      log.error('future.failed', { code: 'editor/future-failed', error: messageOf(thrown) });
      const evaluation = unansweredEvaluation(messageOf(thrown));
      this.#settle({ kind: 'checked', check: this.#checks, unsaved, versions, evaluation, causes: [] });
    }
  }

  /** Shows how far the check is until it is disposed. */
  #showProgress(signal: AbortSignal): Disposable & { readonly note: (answered: number, of: number) => void } {
    let far: { readonly answered: number; readonly files: number } | undefined;
    const timer = setInterval(() => {
      if (far && !signal.aborted && this.#state.kind === 'checking') this.#show({ kind: 'checking', ...far });
      far = undefined;
    }, progressMs);
    return {
      note: (answered, files) => {
        far = { answered, files };
      },
      [Symbol.dispose]: () => clearInterval(timer),
    };
  }

  #settle(state: FutureState): void {
    if (state.kind !== 'checked') this.#last = undefined;
    const isSame = state.kind === 'nothing' && this.#state.kind === 'nothing';
    if (isSame) return;
    this.#isRunning = false;
    this.#restarts = 0;
    this.#show(state);
    this.settled.emit(state);
    if (this.#isOutdated) this.#begin('after-pause');
  }

  #show(state: FutureState): void {
    this.#state = state;
    this.#parts.publish(state);
  }

  get #unsaved(): readonly WorkspacePath[] {
    return this.#parts.buffers.all.filter(({ isUnsaved }) => isUnsaved).map(({ path }) => path);
  }
}

function evaluationOf(outcome: EvaluationOutcome): WireEvaluation {
  if (outcome.kind === 'evaluated') return wireEvaluationOf(outcome);
  return unansweredEvaluation(`Changed on disk meanwhile: ${outcome.paths.join(', ')}.`);
}

/** `no server for .zig`. */
function noServerFor(paths: readonly string[]): string {
  const endings = new Set(paths.map((path) => /\.[^./]+$/.exec(path)?.[0] ?? path));
  return `no server for ${[...endings].join(', ')}`;
}
