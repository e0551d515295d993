/**
 * Works ahead of the user: predicts the next input, works on it in a fork, and has the result ready when it is sent.
 *
 * Terms. A *branch* is the state that work starts from (a conversation and its files); this code does not look into it.
 * A *prediction* is a suggested next input, or silence. A *run* is the work on a suggestion in a fork of a branch, and
 * its result. A *boundary* is where and why a run stopped. A *step* is one prediction with its run and verdict. The
 * *chain* is the steps under way: the first is the *offer* that the user sees, each further one starts from the branch
 * after the run before it. *Acceptance* is the commit of the offer's run after the user sent its suggestion.
 *
 * Invariants. They rest on the contracts of the ports: an aborted `run` leaves nothing behind, `commit` makes everything
 * real or nothing.
 * 1. There is one chain of at most `depth` steps, besides a step that is being committed. `begin` aborts the old chain.
 *    Only a step that is ready and whose run is complete gets a successor; a step that is aborted takes its successors
 *    with it.
 * 2. A step ends once: accepted, taken (the words only), silent or aborted. Then it is recorded and its signal aborts.
 * 3. Only `commit` changes anything outside a fork, and only `accept` calls it: for the offer, if the input is its
 *    suggestion. A step that is not committed leaves nothing behind.
 * 4. `commit` is called at most once for a step and for one step at a time. A step is recorded as accepted only after
 *    `commit` has returned `committed`. What a crash leaves of an acceptance is decided by the record that `commit`
 *    writes (../acceptance.ts), not by the state here.
 * 5. The user's input is not lost: if anything fails before the commit, `accept` resolves with `declined` and the caller
 *    runs the input as usual. A commit is never declined, even if its outcome cannot be recorded. It does not wait for
 *    unfinished work either: the run is asked to stop with what it has. `begin`, `typed` and `abort` do not wait at all.
 * 6. Every change of a step's state is an event. A listener that throws does not stop the work.
 */
import { Channel } from '../../base/channel.ts';
import { messageOf } from '../../base/failure.ts';
import { type Log, silentLog } from '../../base/log.ts';
import type { Landing, Run, SpeculationPorts } from './speculation-ports.ts';
import type {
  AbortReason,
  Acceptance,
  SpeculationEvent,
  SpeculationOutcome,
  SpeculationState,
} from './speculation-state.ts';
import { SpeculationStep } from './speculation-step.ts';
import { isBeginningOf } from './typed-input.ts';

export interface SpeculationOptions {
  /** How many suggestions ahead to work; default 1. */
  readonly depth?: number;
  readonly log?: Log;
  /** The clock, in milliseconds from any origin. */
  readonly now?: () => number;
}

export function createSpeculation<Branch>(
  ports: SpeculationPorts<Branch>,
  options: SpeculationOptions = {},
): Speculation<Branch> {
  return new Speculation(ports, options);
}

export class Speculation<Branch> implements AsyncDisposable {
  readonly #ports: SpeculationPorts<Branch>;
  readonly #options: Required<SpeculationOptions>;
  readonly #events = new Channel<SpeculationEvent>();
  /** The offer, then the steps built upon it. */
  #chain: SpeculationStep<Branch>[] = [];
  #resting: SpeculationState = { kind: 'idle' };
  /** The step that is being committed. */
  #landing: SpeculationStep<Branch> | undefined;
  #trunk: Branch | undefined;
  #switch: 'on' | 'off' = 'on';
  #nextId = 1;
  readonly #work = new Set<Promise<void>>();

  constructor(ports: SpeculationPorts<Branch>, options: SpeculationOptions) {
    this.#ports = ports;
    this.#options = { depth: 1, log: silentLog, now: () => performance.now(), ...options };
  }

  /** The state of the offer, or how the last one ended. */
  get state(): SpeculationState {
    return (this.#landing ?? this.#chain[0])?.state ?? this.#resting;
  }

  /** The states of all steps in progress, the offer first. */
  get states(): readonly SpeculationState[] {
    return this.#chain.map(({ state }) => state);
  }

  subscribe(listener: (event: SpeculationEvent) => void): Disposable {
    return this.#events.subscribe(listener);
  }

  /** Call when a turn has ended: starts to predict the next input. */
  begin(trunk: Branch): void {
    this.abort('superseded');
    this.#trunk = trunk;
    this.#start(trunk);
  }

  /** Call when the user has typed this much. Text that does not continue the suggestion aborts the chain at once. */
  typed(text: string): 'continues' | 'aborted' | 'nothing' {
    const [offered] = this.#chain;
    if (!offered) return 'nothing';
    if (isBeginningOf(text, offered.suggestion ?? '')) return 'continues';
    this.abort('typed');
    return 'aborted';
  }

  /** Aborts all steps of the chain: connections are closed and commands killed before this returns or soon after. */
  abort(reason: AbortReason): void {
    const ended = this.#chain;
    this.#chain = [];
    for (const [index, step] of ended.entries()) step.abort(index === 0 ? reason : 'predecessor');
    const [first] = ended;
    if (first) this.#resting = first.state;
  }

  /** While off, nothing is predicted and nothing is spent. */
  turn(choice: 'on' | 'off'): void {
    this.#switch = choice;
    if (choice === 'off') this.abort('switched_off');
  }

  /**
   * Call when the user sends an input. If it equals the suggestion, its run is committed. Otherwise, and whenever
   * something fails, it is declined and the caller must run the input.
   */
  async accept(input: string, signal: AbortSignal): Promise<Acceptance> {
    const [step] = this.#chain;
    if (!step || this.#landing) return declined('nothing_ready');
    if (!step.isFor(input)) {
      this.abort('typed');
      return declined('other_input');
    }
    // From here on a keystroke aborts only the successors of this step.
    this.#chain.shift();
    this.#landing = step;
    const acceptedAt = this.#options.now();
    try {
      const run = await step.finished(signal);
      if (!run) {
        step.take();
        this.#resting = step.state;
        return declined('nothing_ready');
      }
      const startedAt = this.#options.now();
      const landing = await this.#ports.commit(run, signal);
      if (landing.kind === 'conflict') return this.#decline(step, 'conflict', landing.paths);
      const savedMs = step.accept({ acceptedAt, commitMs: this.#options.now() - startedAt });
      return this.#accepted(step, { run, landing, savedMs });
    } catch (thrown) {
      this.#options.log.warning('speculation.acceptance-failed', {
        code: 'speculation/acceptance-failed',
        error: messageOf(thrown),
      });
      return this.#decline(step, signal.aborted ? 'interrupted' : 'failed');
    } finally {
      this.#landing = undefined;
    }
  }

  /** Resolves when no work is in progress, including work that was aborted. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.turn('off');
    this.abort('disposed');
    await this.settled();
  }

  /** After a boundary a normal query continues; otherwise the successor is offered. */
  #accepted(step: SpeculationStep<Branch>, { run, landing, savedMs }: LandedRun<Branch>): Acceptance {
    this.#resting = step.state;
    const next = run.boundary.kind === 'complete' ? 'nothing' : 'query';
    if (next === 'nothing') this.#promote();
    return { kind: 'accepted', next, savedMs, ...(landing.patch && { patch: landing.patch }) };
  }

  /** Aborts the step and its successors. */
  #decline(
    step: SpeculationStep<Branch>,
    because: 'conflict' | 'failed' | 'interrupted',
    paths: readonly string[] = [],
  ): Acceptance {
    this.abort('predecessor');
    step.abort(because);
    this.#resting = step.state;
    return declined(because, paths);
  }

  /** Makes the successor the offer; if there is none, predicts from the trunk. */
  #promote(): void {
    for (const [index, step] of this.#chain.entries()) step.moveTo(index);
    if (this.#chain.length === 0 && this.#trunk !== undefined) this.#start(this.#trunk);
    else this.#extend();
  }

  /** Starts a successor of the last step if it is complete and `depth` allows one more. */
  #extend(): void {
    const last = this.#chain.at(-1);
    const run = last?.run;
    if (!last || run?.boundary.kind !== 'complete' || last.state.kind !== 'ready') return;
    if (this.#chain.length < this.#options.depth) this.#start(run.after);
  }

  #start(on: Branch): void {
    if (this.#switch === 'off') return;
    const { now } = this.#options;
    const step = new SpeculationStep(this.#ports, {
      id: this.#nextId,
      on,
      restsOn: this.#chain.map(({ suggestion }) => suggestion ?? ''),
      now,
      emit: (event) => this.#emit(event),
      record: (outcome) => this.#record(outcome),
    });
    this.#nextId += 1;
    this.#chain.push(step);
    const work = this.#carry(step).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  /** Never rejects: no caller awaits this until `settled`, and an unhandled rejection would end the process. */
  async #carry(step: SpeculationStep<Branch>): Promise<void> {
    try {
      await step.work();
      this.#advance(step);
    } catch (thrown) {
      this.#options.log.warning('speculation.failed', {
        code: 'speculation/failed',
        error: messageOf(thrown),
      });
      this.#drop(step, 'failed');
    }
  }

  #advance(step: SpeculationStep<Branch>): void {
    if (step.state.kind === 'silent') this.#drop(step, 'failed');
    else if (this.#chain.at(-1) === step) this.#extend();
  }

  /** Aborts a step and its successors; the steps before it stay. */
  #drop(step: SpeculationStep<Branch>, reason: AbortReason): void {
    const index = this.#chain.indexOf(step);
    if (index < 0) return;
    const ended = this.#chain.splice(index);
    for (const [place, each] of ended.entries()) each.abort(place === 0 ? reason : 'predecessor');
    if (index === 0) this.#resting = step.state;
  }

  /** The outcome stands whether it is recorded or not: a commit cannot be declined any more. */
  #record(outcome: SpeculationOutcome): void {
    try {
      this.#ports.record?.(outcome);
    } catch (thrown) {
      this.#options.log.error('speculation.record-failed', {
        code: 'speculation/record-failed',
        error: messageOf(thrown),
      });
    }
  }

  /** A listener that throws must not stop the work. */
  #emit(event: SpeculationEvent): void {
    try {
      this.#events.emit(event);
    } catch (thrown) {
      this.#options.log.error('speculation.listener-failed', {
        code: 'speculation/listener-failed',
        error: messageOf(thrown),
      });
    }
  }
}

interface LandedRun<Branch> {
  readonly run: Run<Branch>;
  readonly landing: Landing & { readonly kind: 'committed' };
  readonly savedMs: number;
}

function declined(
  because: (Acceptance & { readonly kind: 'declined' })['because'],
  paths: readonly string[] = [],
): Acceptance {
  return { kind: 'declined', because, paths };
}
