/**
 * One conversation between a user and an agent, with the agent's state.
 *
 * Invariants: a message is recorded before it is part of the conversation; a fork shares its parent's state and never
 * changes it; one turn runs at a time.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import type { Transcript } from '../storage/transcript.ts';
import type { Guard } from '../tools/guard.ts';
import type { Ask } from '../tools/permission-request.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import type { Agent } from './agent.ts';
import { type CodeConnection, forkConnection } from './code-connection.ts';
import type { CommandRunner } from './command-runner.ts';
import { ConversationLog, now } from './conversation-log.ts';
import { type ConversationState, stateOf } from './conversation-record.ts';
import { type AgentRoot, forkRoots, type Roots } from './files/agent-root.ts';
import { ReadCache } from './files/read-cache.ts';
import type { ForkMerge, MergedWork } from './fork-merge.ts';
import type { Judge } from './judgement.ts';
import { MessageHistory } from './message-history.ts';
import { repairedSequence } from './message-sequence.ts';
import type { PermissionGuard } from './permission/permission-guard.ts';
import type { Todo } from './todo.ts';

export interface ConversationParts {
  readonly agent: Agent;
  readonly roots: Roots<AgentRoot>;
  readonly permissions: PermissionGuard;
  /** Asks the user for permission; absent if there is no user to ask. */
  readonly ask?: Ask;
  readonly commands: CommandRunner;
  /** Absent if there is no language server. */
  readonly code?: CodeConnection;
  /** Absent if edits are not judged. */
  readonly judge?: Judge;
  /** The beginning of the first message; see `openingOf`. */
  readonly opening: string;
  /** Where the conversation is recorded; absent: nowhere. */
  readonly kept?: { readonly id: string; readonly transcript: Transcript };
}

/** The parts of a conversation that never change. */
export interface ConversationSetup extends Omit<ConversationParts, 'opening' | 'kept'> {
  /** The guards of every tool call. */
  readonly guards: readonly Guard[];
}

export interface ForkOptions {
  /** The guards of the fork's calls; they replace asking the user. */
  readonly guards: readonly Guard[];
  readonly commands: CommandRunner;
}

export class Conversation implements AsyncDisposable {
  readonly id: string;
  readonly setup: ConversationSetup;
  readonly history: MessageHistory;
  /** The files that the model has seen. */
  readonly reads: ReadCache;
  readonly #log: ConversationLog;
  #todos: readonly Todo[];
  #isInTurn = false;

  private constructor({ id, setup, history, log }: OpenedConversation, state: KnownState) {
    this.id = id;
    this.setup = setup;
    this.history = history;
    this.reads = new ReadCache(state.seen);
    this.#log = log;
    this.#todos = state.todos;
  }

  static begin(parts: ConversationParts): Conversation {
    return Conversation.#open(parts, { messages: [], todos: [], seen: [], allowed: [] });
  }

  /**
   * Restores a conversation and its allowed rules from its record. Tool calls without a result are answered as
   * interrupted.
   */
  static async resume(
    parts: ConversationParts & Required<Pick<ConversationParts, 'kept'>>,
  ): Promise<Conversation> {
    const state = stateOf(await parts.kept.transcript.read());
    const conversation = Conversation.#open(parts, state);
    parts.permissions.restore(state.allowed);
    conversation.history.answerMissing();
    return conversation;
  }

  static #open(parts: ConversationParts, state: ConversationState): Conversation {
    const { opening, kept, ...setup } = parts;
    const { agent, roots, permissions } = setup;
    const id = kept?.id ?? randomUUID();
    const log = new ConversationLog({
      transcript: kept?.transcript,
      id,
      workspace: roots[0].workspace.root,
      isOpened: state.messages.length > 0,
    });
    if (kept) permissions.keepWith((rule) => log.append({ kind: 'allowed', rule, at: now() }));
    const history = MessageHistory.of(state.messages, { agent, opening, log });
    return new Conversation({ id, setup: { ...setup, guards: [permissions] }, history, log }, state);
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  /** Reserves the conversation for one turn; messages of two turns would be mixed. */
  occupy(): Disposable {
    if (this.#isInTurn) throw new ConversationBusy();
    this.#isInTurn = true;
    return {
      [Symbol.dispose]: () => {
        this.#isInTurn = false;
      },
    };
  }

  /** Whether a turn is running. */
  get isOccupied(): boolean {
    return this.#isInTurn;
  }

  /** Prepares the merge of a fork's work in two steps, for a caller that commits files together with it. */
  prepareMerge({ seen, todos, usage, ...work }: MergedWork): ForkMerge {
    const mark = randomUUID();
    const messages = repairedSequence(work.messages);
    const entry = { kind: 'absorbed', id: mark, messages, seen: this.#unseen(seen), at: now() } as const;
    const { path: record } = this.#log;
    return {
      decision: {
        ...(record !== undefined && { place: { record, mark } }),
        decide: () => this.#log.append({ ...entry, ...(todos && { todos }) }),
      },
      apply: () => {
        this.history.addRecorded(messages);
        this.reads.note(seen);
        this.#todos = todos ?? this.#todos;
        if (usage) this.history.noteUsage(usage);
      },
    };
  }

  async noteSeen(seen: readonly SeenFile[]): Promise<void> {
    const fresh = this.#unseen(seen);
    this.reads.note(seen);
    if (fresh.length > 0) await this.#log.append({ kind: 'seen', files: fresh });
  }

  async setTodos(todos: readonly Todo[]): Promise<void> {
    await this.#log.append({ kind: 'todos', todos });
    this.#todos = todos;
  }

  /** The same conversation on separate files. It is not recorded until it is merged. */
  fork({ guards, commands }: ForkOptions): Conversation {
    const { agent, roots, permissions, judge, code } = this.setup;
    const id = randomUUID();
    const workspace = roots[0].workspace.root;
    const log = new ConversationLog({ transcript: undefined, id, workspace, isOpened: false });
    const setup: ConversationSetup = {
      agent,
      roots: forkRoots(roots),
      permissions: permissions.fork(),
      guards,
      commands,
      ...(judge && { judge }),
      ...(code && { code: forkConnection(code) }),
    };
    const state = { todos: this.#todos, seen: this.reads.entries() };
    return new Conversation({ id, setup, history: this.history.fork(log), log }, state);
  }

  /** Closes the record; nothing can be added afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log[Symbol.asyncDispose]();
  }

  #unseen(seen: readonly SeenFile[]): readonly SeenFile[] {
    return seen.filter(({ absolute, hash }) => this.reads.hashOf(absolute) !== hash);
  }
}

interface OpenedConversation {
  readonly id: string;
  readonly setup: ConversationSetup;
  readonly history: MessageHistory;
  readonly log: ConversationLog;
}

type KnownState = Pick<ConversationState, 'todos' | 'seen'>;

class ConversationBusy extends Failure {
  readonly code = 'agent/busy';
  readonly remedy = 'Wait for the turn to end, or interrupt it.';

  constructor() {
    super('a turn of this conversation is still running');
  }
}
