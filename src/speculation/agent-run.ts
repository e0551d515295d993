/**
 * Runs a suggestion as a turn of a forked conversation.
 *
 * Invariant: the original conversation and the disk are unchanged, whatever happens; when this returns, nothing it
 * started is running.
 */

import type { CommandRunner } from '../agent/command-runner.ts';
import type { Conversation } from '../agent/conversation.ts';
import { filesIn } from '../agent/files/agent-root.ts';
import { mergeFork } from '../agent/fork-merge.ts';
import type { MessageHistory } from '../agent/message-history.ts';
import { runTurn } from '../agent/turn.ts';
import type { TurnEvent, TurnOutcome } from '../agent/turn-event.ts';
import { Failure } from '../base/failure.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { unreachable } from '../base/unreachable.ts';
import type { AddedWork, AgentBranch } from './agent-branch.ts';
import { AcceptedEarly, type Boundary } from './engine/boundary.ts';
import type { Run, RunTask } from './engine/speculation-ports.ts';
import { cleanMessages, isUntouched } from './message-cleaning.ts';
import { type FilesByWorkspace, SpeculativeFiles } from './speculative-files.ts';
import { allowsEdits, TierGuard } from './tier-guard.ts';
import { TreeSnapshotGuard } from './tree-snapshot-guard.ts';
import { WatchedCommands } from './watched-commands.ts';

const maxRounds = 20;
const maxMessages = 100;

export interface AgentRunOptions {
  /** Opens the command runner of one speculation. */
  readonly openCommands: () => CommandRunner & AsyncDisposable;
  /** Receives each run that starts, so that its reads can be salvaged after an abort. */
  readonly began?: (begun: BegunRun) => void;
}

/** A run in progress. */
export interface BegunRun {
  readonly suggestion: string;
  readonly on: AgentBranch;
  /** The length of the conversation when it started. */
  readonly from: number;
  readonly fork: Conversation;
  readonly files: FilesByWorkspace;
}

export async function runOnFork(
  { on, suggestion, meter }: RunTask<AgentBranch>,
  { openCommands, began }: AgentRunOptions,
  signal: AbortSignal,
): Promise<Run<AgentBranch>> {
  signal.throwIfAborted();
  await using commands = openCommands();
  const work = new ForkedWork(on, commands);
  await work.layFiles(signal);
  began?.({ suggestion, on, from: work.from, fork: work.fork, files: work.files });
  const stop = AbortSignal.any([signal, work.stopped]);
  for await (const event of runTurn(work.fork, [{ kind: 'text', text: suggestion }], { maxRounds }, stop)) {
    if (event.kind === 'usage') meter.tokens(event.usage);
    if (event.kind === 'tool-finished') meter.toolUse();
    work.receive(event);
  }
  return await work.outcome(signal);
}

class ForkedWork {
  readonly fork: Conversation;
  readonly files: FilesByWorkspace;
  /** The length of the conversation. */
  readonly from: number;
  readonly #on: AgentBranch;
  readonly #commands: WatchedCommands;
  readonly #stop = new AbortController();
  #boundary: Boundary | undefined;
  #ended: TurnOutcome | undefined;
  #hasForgotten = false;

  constructor(on: AgentBranch, runner: CommandRunner) {
    const { conversation, added } = on;
    const tier = new TierGuard(conversation.setup.permissions.fork());
    this.#on = on;
    this.from = conversation.history.messages.length;
    this.files = new Map(
      conversation.setup.roots.map(({ workspace, files }) => {
        const before = added?.files.get(workspace);
        return [workspace, before?.stacked(files.overlay()) ?? SpeculativeFiles.on(files.overlay())];
      }),
    );
    this.#commands = new WatchedCommands({
      runner,
      edits: allowsEdits(conversation.setup.permissions) ? 'allowed' : 'asked',
      freeze: async ({ root }, changed) => this.files.get(root.workspace)?.freeze(changed),
      stop: (boundary) => this.#halt(boundary),
    });
    const overview = new TreeSnapshotGuard({
      codeTools: new Set(conversation.setup.code?.tools.map(({ name }) => name)),
      remember: () => this.#rememberTrees(),
    });
    this.fork = conversation.fork({ guards: [tier, overview], commands: this.#commands });
  }

  /** Aborts when the work must stop. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Gives the fork files that record its reads. */
  async layFiles(signal: AbortSignal): Promise<void> {
    for (const { workspace, files } of this.fork.setup.roots) {
      const start = this.files.get(workspace)?.start;
      if (start) await files.commit(start, {}, signal);
    }
  }

  receive(event: TurnEvent): void {
    if (event.kind === 'done') this.#ended = event.outcome;
    // A summary cannot be separated from the messages before it.
    if (event.kind === 'compacted') this.#hasForgotten = true;
    const added = this.fork.history.messages.length - this.from;
    if (event.kind === 'compacted' || added >= maxMessages) {
      this.#halt({ kind: 'limit', detail: `${maxMessages} messages` });
    }
  }

  async outcome(signal: AbortSignal): Promise<Run<AgentBranch>> {
    const boundary = this.#boundary ?? boundaryOf(this.#ended, signal);
    if (this.#hasForgotten) throw new WindowFull();
    const { trunk, conversation, ended } = this.#on;
    const { from } = this;
    const raw = this.fork.history.messages.slice(from);
    const messages = cleanMessages(raw, {
      ending: boundary.kind === 'complete' ? 'whole' : 'cut',
      answered: this.#commands.answered,
    });
    for (const { workspace, files } of this.fork.setup.roots) {
      await this.files.get(workspace)?.freeze(files.overlay());
    }
    const after = isUntouched(raw, messages) ? this.fork : await this.#retold(messages);
    const added: AddedWork = {
      from,
      onto: conversation.history.messages.at(-1),
      // The messages of the conversation itself: merged elsewhere, they are the same objects.
      messages: after.history.messages.slice(from),
      files: this.files,
      commands: this.#commands.ran,
    };
    return { boundary, after: { trunk, conversation: after, ended, added } };
  }

  /** The conversation after acceptance, from which a successor continues. */
  async #retold(messages: MessageHistory['messages']): Promise<Conversation> {
    const { fork } = this;
    const reported = this.#on.conversation.fork({ guards: fork.setup.guards, commands: fork.setup.commands });
    for (const { workspace, files } of reported.setup.roots) {
      const worked = filesIn(fork.setup.roots, workspace)?.overlay();
      if (worked) await files.commit(worked, {}, neverAborts());
    }
    const { todos, reads } = fork;
    const { usage } = fork.history;
    await mergeFork(reported, { messages, seen: reads.entries(), todos, usage });
    return reported;
  }

  async #rememberTrees(): Promise<void> {
    for (const [workspace, files] of this.files) await files.rememberTree(workspace);
  }

  #halt(boundary: Boundary): void {
    this.#boundary ??= boundary;
    this.#stop.abort(new DOMException('the speculation has reached a boundary', 'AbortError'));
  }
}

/** The conversation would be replaced by a summary of it. */
class WindowFull extends Failure {
  readonly code = 'speculation/window-full';
  readonly remedy = 'Do nothing: the input runs when it is sent.';

  constructor() {
    super('the context window is full');
  }
}

function boundaryOf(ended: TurnOutcome | undefined, signal: AbortSignal): Boundary {
  const isEarly = signal.reason instanceof AcceptedEarly;
  if (signal.aborted && !isEarly) throw signal.reason;
  switch (ended?.kind) {
    case 'answered':
      return { kind: 'complete' };
    case 'halted':
      return ended.boundary;
    case 'exhausted':
      return { kind: 'limit', detail: `${ended.rounds} rounds` };
    case 'failed':
      throw ended.failure;
    case 'interrupted':
    case undefined:
      if (isEarly) return { kind: 'accepted' };
      throw new DOMException('the speculation was interrupted', 'AbortError');
    default:
      return unreachable(ended);
  }
}
