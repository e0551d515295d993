/**
 * One conversation between a user and an agent, and what the agent knows in it.
 *
 * Invariants: what is in it was recorded before; a fork shares everything with its parent and alters nothing of it; one turn
 * runs at a time.
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
  /** Asks the user for permission; absent where there is no user to ask. */
  readonly ask?: Ask;
  readonly commands: CommandRunner;
  /** Absent where no language server is at hand. */
  readonly code?: CodeConnection;
  /** Absent where edits are not judged. */
  readonly judge?: Judge;
  /** What the first message begins with; see `openingOf`. */
  readonly opening: string;
  /** Where it is recorded; absent: nowhere. */
  readonly kept?: { readonly id: string; readonly transcript: Transcript };
}

/** What a conversation works with from beginning to end. */
export interface ConversationSetup extends Omit<ConversationParts, 'opening' | 'kept'> {
  /** What every call must pass. */
  readonly guards: readonly Guard[];
}

export interface ForkOptions {
  /** What the fork's calls must pass; they take the place of asking the user. */
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

  /** A conversation as its record left it, with what was allowed in it. What a crash cut off is answered as interrupted. */
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

  /** Takes the conversation for one turn; two at once would mix their messages. */
  occupy(): Disposable {
    if (this.#isInTurn) throw new ConversationBusy();
    this.#isInTurn = true;
    return {
      [Symbol.dispose]: () => {
        this.#isInTurn = false;
      },
    };
  }

  /** Whether a turn is running, and the model is busy with it. */
  get isOccupied(): boolean {
    return this.#isInTurn;
  }

  /** Takes in the work of a fork in two halves, for a caller that has files to commit with it. */
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

  /** The same conversation on files of its own, recorded nowhere until it is merged. */
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

  /** Closes its record; nothing can be added then. */
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
  readonly remedy = 'Wait until the turn is over, or interrupt it.';

  constructor() {
    super('a turn of this conversation is still under way');
  }
}
