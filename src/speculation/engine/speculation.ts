/**
 * Works ahead of the user: guesses the next input, works it out where nobody notices, and has it ready when it comes.
 *
 * Invariants: one speculation at a time, with the successors that are built upon it; whatever is not accepted leaves
 * nothing behind; whatever goes wrong, the user's input runs as if there had been no speculation. Each step from a
 * state to the next is an event.
 */
import { Channel } from '../../base/channel.ts';
import { messageOf } from '../../base/failure.ts';
import { type Log, silentLog } from '../../base/log.ts';
import type { Landing, Run, SpeculationPorts } from './speculation-ports.ts';
import type { AbortReason, Acceptance, SpeculationEvent, SpeculationState } from './speculation-state.ts';
import { SpeculationStep } from './speculation-step.ts';
import { isBeginningOf } from './typed-input.ts';

export interface SpeculationOptions {
  /** How many suggestions ahead to work; default 1. */
  readonly depth?: number;
  readonly log?: Log;
  /** Milliseconds, from any start. */
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
  /** The one that is offered first, then those built upon it. */
  #chain: SpeculationStep<Branch>[] = [];
  #resting: SpeculationState = { kind: 'idle' };
  /** The one that is being made real. */
  #landing: SpeculationStep<Branch> | undefined;
  #trunk: Branch | undefined;
  #switch: 'on' | 'off' = 'on';
  #nextId = 1;
  readonly #work = new Set<Promise<void>>();

  constructor(ports: SpeculationPorts<Branch>, options: SpeculationOptions) {
    this.#ports = ports;
    this.#options = { depth: 1, log: silentLog, now: () => performance.now(), ...options };
  }

  /** What is offered, or what became of the last one. */
  get state(): SpeculationState {
    return (this.#landing ?? this.#chain[0])?.state ?? this.#resting;
  }

  /** The states of all that is under way: the offer first. */
  get states(): readonly SpeculationState[] {
    return this.#chain.map(({ state }) => state);
  }

  subscribe(listener: (event: SpeculationEvent) => void): Disposable {
    return this.#events.subscribe(listener);
  }

  /** A turn is over: from here on the next input is guessed. */
  begin(trunk: Branch): void {
    this.abort('superseded');
    this.#trunk = trunk;
    this.#start(trunk);
  }

  /** The user has typed this much. Whatever does not continue the suggestion ends it at once. */
  typed(text: string): 'continues' | 'aborted' | 'nothing' {
    const [offered] = this.#chain;
    if (!offered) return 'nothing';
    if (isBeginningOf(text, offered.suggestion ?? '')) return 'continues';
    this.abort('typed');
    return 'aborted';
  }

  /** Ends whatever is under way: connections are closed and commands killed before this returns or soon after. */
  abort(reason: AbortReason): void {
    const ended = this.#chain;
    this.#chain = [];
    for (const [index, step] of ended.entries()) step.abort(index === 0 ? reason : 'predecessor');
    const [first] = ended;
    if (first) this.#resting = first.state;
  }

  /** Turned off, nothing is guessed and nothing is spent. */
  turn(choice: 'on' | 'off'): void {
    this.#switch = choice;
    if (choice === 'off') this.abort('switched_off');
  }

  /**
   * The user sends an input. Where it is what was suggested, the work on it becomes real; in any other case, and
   * whenever something goes wrong, it is declined and the input is the caller's to run.
   */
  async accept(input: string, signal: AbortSignal): Promise<Acceptance> {
    const [step] = this.#chain;
    if (!step || this.#landing) return declined('nothing_ready');
    if (!step.isFor(input)) {
      this.abort('typed');
      return declined('other_input');
    }
    // From here on a keystroke ends what comes after it, and no more this one.
    this.#chain.shift();
    this.#landing = step;
    const acceptedAt = this.#options.now();
    try {
      const run = await step.finished();
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

  /** Resolves when nothing is under way any more, aborted work included. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.turn('off');
    this.abort('disposed');
    await this.settled();
  }

  /** What a boundary cut off is left for a normal query; else the successor is offered. */
  #accepted(step: SpeculationStep<Branch>, { run, landing, savedMs }: LandedRun<Branch>): Acceptance {
    this.#resting = step.state;
    const next = run.boundary.kind === 'complete' ? 'nothing' : 'query';
    if (next === 'nothing') this.#promote();
    return { kind: 'accepted', next, savedMs, ...(landing.patch && { patch: landing.patch }) };
  }

  /** What was built upon it goes with it. */
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

  /** The successor is now what the user is offered; where there is none, the next input is guessed from here. */
  #promote(): void {
    for (const [index, step] of this.#chain.entries()) step.moveTo(index);
    if (this.#chain.length === 0 && this.#trunk !== undefined) this.#start(this.#trunk);
    else this.#extend();
  }

  /** Guesses on from what is finished, as far ahead as was asked for. */
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

  /** Takes a step and all that is built upon it out of the chain; what came before stays. */
  #drop(step: SpeculationStep<Branch>, reason: AbortReason): void {
    const index = this.#chain.indexOf(step);
    if (index < 0) return;
    const ended = this.#chain.splice(index);
    for (const [place, each] of ended.entries()) each.abort(place === 0 ? reason : 'predecessor');
    if (index === 0) this.#resting = step.state;
  }

  /** A listener that fails is no reason to stop working. */
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
