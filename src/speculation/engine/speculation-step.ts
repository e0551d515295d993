/**
 * One suggestion from its prediction to its end.
 *
 * Invariant: a step ends once and is recorded then; after that its state does not change.
 */
import { abortable } from '../../base/deadline.ts';
import { addUsage, noUsage, type Usage } from '../../model/usage.ts';
import { AcceptedEarly } from './boundary.ts';
import type { Meter, Run, SpeculationPorts } from './speculation-ports.ts';
import type {
  AbortReason,
  SpeculationEvent,
  SpeculationOutcome,
  SpeculationState,
} from './speculation-state.ts';
import { isSameInput } from './typed-input.ts';

export interface StepOptions<Branch> {
  readonly id: number;
  readonly on: Branch;
  /** The suggestions it is built upon, the nearest last. */
  readonly restsOn: readonly string[];
  readonly now: () => number;
  readonly emit: (event: SpeculationEvent) => void;
  /** Receives the outcome once. Does not throw. */
  readonly record: (outcome: SpeculationOutcome) => void;
}

export class SpeculationStep<Branch> {
  readonly #ports: SpeculationPorts<Branch>;
  readonly #options: StepOptions<Branch>;
  readonly #life = new AbortController();
  readonly #early = new AbortController();
  #ahead: number;
  #state: SpeculationState = { kind: 'predicting' };
  #suggestion: string | undefined;
  #run: Run<Branch> | undefined;
  #running: Promise<Run<Branch>> | undefined;
  #unworked: string | undefined;
  #isOver = false;
  #startedAt = 0;
  #progressAt = 0;
  #toolUses = 0;
  #usage: Usage = noUsage;

  constructor(ports: SpeculationPorts<Branch>, options: StepOptions<Branch>) {
    this.#ports = ports;
    this.#options = options;
    this.#ahead = options.restsOn.length;
  }

  get state(): SpeculationState {
    return this.#state;
  }

  get suggestion(): string | undefined {
    return this.#suggestion;
  }

  /** The finished run; absent until then. */
  get run(): Run<Branch> | undefined {
    return this.#run;
  }

  isFor(input: string): boolean {
    return this.#suggestion !== undefined && isSameInput(input, this.#suggestion);
  }

  /** Predicts, runs and judges. Does not throw when aborted. */
  async work(): Promise<void> {
    this.#tell();
    try {
      await this.#predict();
    } catch (thrown) {
      if (!this.#isOver && !this.#early.signal.aborted) throw thrown;
    }
  }

  /** Stops the run and returns what it has; does not wait for an answer that is still being written. */
  async finished(signal: AbortSignal): Promise<Run<Branch> | undefined> {
    this.#early.abort(new AcceptedEarly());
    return this.#run ?? (this.#running && abortable(this.#running, signal));
  }

  /** Ends the step as accepted; returns the time saved. */
  accept({ acceptedAt, commitMs }: { readonly acceptedAt: number; readonly commitMs: number }): number {
    const doneAt = Math.min(acceptedAt, this.#progressAt);
    const savedMs = Math.max(0, doneAt - this.#startedAt - commitMs);
    const suggestion = this.#suggestion ?? '';
    this.#end({ kind: 'accepted' }, { kind: 'accepted', suggestion, savedMs }, savedMs);
    return savedMs;
  }

  /** Ends the step because the user sent its suggestion, though there is no run to commit. */
  take(): void {
    const suggestion = this.#suggestion ?? '';
    this.#end({ kind: 'taken' }, { kind: 'accepted', suggestion, savedMs: 0 });
  }

  abort(reason: AbortReason): void {
    this.#end({ kind: 'aborted', reason }, { kind: 'aborted', reason });
  }

  /** Sets its position in the chain. */
  moveTo(ahead: number): void {
    this.#ahead = ahead;
    if (this.#state.kind === 'ready') this.#state = { ...this.#state, restsOn: this.#restsOn };
    this.#tell();
  }

  async #predict(): Promise<void> {
    const spending = this.#ports.spending?.mayPredict(this.#ahead);
    if (spending?.kind === 'stay') return this.#fallSilent(spending);
    const task = { on: this.#options.on, ahead: this.#ahead, meter: this.#meter };
    const prediction = await this.#ports.predict(task, this.#life.signal);
    if (this.#isOver) return;
    if (prediction.kind === 'silence') return this.#fallSilent(prediction);
    this.#suggestion = prediction.text;
    const worth = this.#ports.spending?.mayRun(prediction.text, this.#ahead);
    if (worth?.kind === 'stay') {
      this.#unworked = worth.because;
      this.#enter({ kind: 'suggested', suggestion: prediction.text, because: worth.because });
      return;
    }
    await this.#workOut({ ...task, suggestion: prediction.text });
  }

  async #workOut(task: Parameters<SpeculationPorts<Branch>['run']>[0]): Promise<void> {
    const { suggestion } = task;
    const stop = AbortSignal.any([this.#life.signal, this.#early.signal]);
    this.#startedAt = this.#options.now();
    this.#progressAt = this.#startedAt;
    this.#running = this.#ports.run(task, stop);
    this.#enter({ kind: 'running', suggestion });
    const run = await this.#running;
    if (this.#isOver) return;
    this.#run = run;
    // A run that was stopped early counts only until the last progress that the meter recorded.
    if (run.boundary.kind !== 'accepted') this.#progressAt = this.#options.now();
    if (stop.aborted) return;
    const verdict = await this.#ports.judge(run, stop);
    if (this.#isOver || stop.aborted) return;
    this.#enter({ kind: 'ready', suggestion, boundary: run.boundary, verdict, restsOn: this.#restsOn });
  }

  readonly #meter: Meter = {
    tokens: (usage) => {
      this.#usage = addUsage(this.#usage, usage);
      this.#ports.spending?.spend?.(usage);
      this.#progressAt = this.#options.now();
    },
    toolUse: () => {
      this.#toolUses += 1;
      this.#progressAt = this.#options.now();
    },
  };

  /** The suggestions it is built upon that are not accepted yet. */
  get #restsOn(): readonly string[] {
    const { restsOn } = this.#options;
    return restsOn.slice(restsOn.length - this.#ahead);
  }

  #fallSilent({ because, notice }: { readonly because: string; readonly notice?: string }): void {
    const reported = notice === undefined ? {} : { notice };
    this.#end({ kind: 'silent', because }, { kind: 'silent', because, ...reported });
  }

  #enter(state: SpeculationState): void {
    if (this.#isOver) return;
    this.#state = state;
    this.#tell();
  }

  #end(end: SpeculationOutcome['end'], state: SpeculationState, savedMs = 0): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#state = state;
    this.#life.abort(new DOMException(`the speculation ended: ${end.kind}`, 'AbortError'));
    this.#tell();
    this.#options.record({
      end,
      suggestion: this.#suggestion,
      ahead: this.#ahead,
      boundary: this.#run?.boundary,
      ...(this.#unworked !== undefined && { unworked: this.#unworked }),
      toolUses: this.#toolUses,
      usage: this.#usage,
      workedMs: this.#running ? Math.max(0, this.#progressAt - this.#startedAt) : 0,
      savedMs,
    });
  }

  #tell(): void {
    const { id, emit } = this.#options;
    emit({ id, ahead: this.#ahead, state: this.#state });
  }
}
