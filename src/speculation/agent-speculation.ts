/**
 * Speculation in a conversation with our agent.
 *
 * Invariant: a user who ignores suggestions notices nothing of them: no file, no message, no delay.
 */

import type { CommandRunner } from '../agent/command-runner.ts';
import type { Conversation } from '../agent/conversation.ts';
import { mergeFork } from '../agent/fork-merge.ts';
import type { TurnOutcome } from '../agent/turn-event.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { type UserPart, userText } from '../model/message.ts';
import type { OutcomeLog, OutcomeRecord } from '../storage/outcome-log.ts';
import type { FilePatch } from '../text/unified-diff.ts';
import { acceptRun } from './acceptance.ts';
import type { AgentBranch } from './agent-branch.ts';
import { type BegunRun, runOnFork } from './agent-run.ts';
import { judgeRun } from './agent-verdict.ts';
import type { CostGovernor } from './cost-governor.ts';
import { createSpeculation, type Speculation } from './engine/speculation.ts';
import type { Prediction, PredictTask, SpeculationPorts } from './engine/speculation-ports.ts';
import type {
  AbortReason,
  SpeculationEvent,
  SpeculationOutcome,
  SpeculationState,
} from './engine/speculation-state.ts';
import { continuesSuggestion } from './engine/typed-input.ts';
import { recordOf } from './outcome-record.ts';
import { salvageReads } from './salvage.ts';
import { suggestInput } from './suggestion.ts';
import { skipReason } from './suggestion-skip.ts';

export interface AgentSpeculationOptions {
  readonly conversation: Conversation;
  /** Opens an isolated command runner, one per speculation. */
  readonly openCommands: () => CommandRunner & AsyncDisposable;
  readonly governor: CostGovernor;
  /** The log of outcomes; absent: none. */
  readonly outcomes?: OutcomeLog;
  /** Suggestions are only made for a user at a prompt. */
  readonly interaction: 'interactive' | 'none';
  readonly depth: number;
  readonly log: Log;
}

/** How an input is to be handled. */
export type InputOutcome =
  /** The whole input was done ahead; the conversation contains the answer. */
  | { readonly kind: 'answered'; readonly savedMs: number; readonly patch: readonly FilePatch[] }
  /** Run a turn with this input; it is empty if the conversation already contains it. */
  | {
      readonly kind: 'turn';
      readonly input: readonly UserPart[];
      readonly origin: 'plain' | 'accepted' | 'salvaged';
      readonly savedMs: number;
      /** The changes committed by the accepted part of the work; the turn reports its own. */
      readonly patch: readonly FilePatch[];
      /** The files that prevented the use of ready work. */
      readonly conflicts: readonly string[];
    };

export class AgentSpeculation implements AsyncDisposable {
  readonly #options: AgentSpeculationOptions;
  readonly #speculation: Speculation<AgentBranch>;
  /** The last run on the conversation itself. */
  #begun: BegunRun | undefined;

  constructor(options: AgentSpeculationOptions) {
    this.#options = options;
    const { depth, log } = options;
    this.#speculation = createSpeculation(this.#ports(), { depth, log });
  }

  get state(): SpeculationState {
    return this.#speculation.state;
  }

  get states(): readonly SpeculationState[] {
    return this.#speculation.states;
  }

  subscribe(listener: (event: SpeculationEvent) => void): Disposable {
    return this.#speculation.subscribe(listener);
  }

  /** Call when a turn has ended. Not needed after an `answered` input: the chain then continues by itself. */
  begin(ended: TurnOutcome): void {
    const { conversation } = this.#options;
    this.#begun = undefined;
    this.#speculation.begin({ trunk: conversation, conversation, ended });
  }

  /** A slash command ends the suggestion like any other input, but does not count as a rejection. */
  typed(text: string): 'continues' | 'aborted' | 'nothing' {
    if (text.startsWith('/') && this.#speculation.states.length > 0) {
      this.#speculation.abort('interrupted');
      return 'aborted';
    }
    return this.#speculation.typed(text);
  }

  abort(reason: AbortReason): void {
    this.#speculation.abort(reason);
  }

  turn(choice: 'on' | 'off'): void {
    this.#speculation.turn(choice);
  }

  /** The user wants suggestions again: ends a learned pause. Budgets still apply. */
  resume(): void {
    const record = this.#options.governor.resume();
    if (record) this.#keep(record);
  }

  /** Call when the user sends an input. The result always says how to handle it. */
  async enter(input: string, signal: AbortSignal): Promise<InputOutcome> {
    const acceptance = await this.#speculation.accept(input, signal);
    if (acceptance.kind === 'accepted') {
      const { next, savedMs, patch = [] } = acceptance;
      this.#begun = undefined;
      if (next === 'nothing') return { kind: 'answered', savedMs, patch };
      return { kind: 'turn', input: [], origin: 'accepted', savedMs, patch, conflicts: [] };
    }
    const plain = { kind: 'turn', savedMs: 0, patch: [], conflicts: acceptance.paths } as const;
    if (!signal.aborted && (await this.#salvaged(input))) return { ...plain, input: [], origin: 'salvaged' };
    return { ...plain, input: [{ kind: 'text', text: input }], origin: 'plain' };
  }

  /** Resolves when no work is in progress. */
  settled(): Promise<void> {
    return this.#speculation.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#speculation[Symbol.asyncDispose]();
  }

  #ports(): SpeculationPorts<AgentBranch> {
    const { governor, openCommands, log } = this.#options;
    return {
      predict: (task, signal) => this.#predict(task, signal),
      run: (task, signal) => runOnFork(task, { openCommands, began: (begun) => this.#note(begun) }, signal),
      judge: (run, signal) => judgeRun(run, log, signal),
      commit: acceptRun,
      spending: governor,
      record: (outcome) => this.#record(outcome),
    };
  }

  async #predict({ on, meter }: PredictTask<AgentBranch>, signal: AbortSignal): Promise<Prediction> {
    const { interaction } = this.#options;
    const because = skipReason({ branch: on, interaction });
    return because ? { kind: 'silence', because } : suggestInput(on.conversation, meter, signal);
  }

  #note(begun: BegunRun): void {
    if (begun.on.conversation === begun.on.trunk) this.#begun = begun;
  }

  #record(outcome: SpeculationOutcome): void {
    const { governor } = this.#options;
    const { workspace, prices } = governor;
    const record = recordOf(outcome, { at: new Date(), workspace, prices });
    governor.note(record);
    this.#keep(record);
  }

  #keep(record: OutcomeRecord): void {
    const { outcomes, log } = this.#options;
    outcomes?.record(record).catch((thrown: unknown) => {
      log.warning('speculation.unrecorded', { code: 'speculation/unrecorded', error: messageOf(thrown) });
    });
  }

  /** Whether the conversation now contains the input and the salvaged reads. */
  async #salvaged(input: string): Promise<boolean> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (!begun || !continuesSuggestion(input, begun.suggestion)) return false;
    const { conversation, log } = this.#options;
    if (conversation.history.messages.length !== begun.from) return false;
    try {
      await this.#speculation.settled();
      const salvage = await salvageReads(begun);
      if (!salvage) return false;
      const messages = [userText(input), ...salvage.messages];
      await mergeFork(conversation, { messages, seen: salvage.seen });
      return true;
    } catch (thrown) {
      log.warning('speculation.salvage-failed', {
        code: 'speculation/salvage-failed',
        error: messageOf(thrown),
      });
      return false;
    }
  }
}
