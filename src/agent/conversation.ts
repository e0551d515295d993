/**
 * One conversation between a user and an agent, and what the agent knows in it.
 *
 * Invariants: its messages are a sound sequence after every method; what is in it was kept before it was said; a
 * request's beginning never changes except where a summary takes its place; a fork shares everything with its parent
 * and alters nothing of it.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import { type FrozenPrefix, frozenPrefix } from '../model/frozen-prefix.ts';
import type { AssistantMessage, Message, UserMessage, UserPart } from '../model/message.ts';
import { noUsage, type Usage } from '../model/usage.ts';
import type { Transcript } from '../storage/transcript.ts';
import type { Guard } from '../tools/guard.ts';
import type { Ask } from '../tools/permission-request.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import { type Agent, declarationsOf } from './agent.ts';
import { type CodeConnection, forkConnection } from './code-connection.ts';
import type { CommandRunner } from './command-runner.ts';
import { type ConversationEntry, type ConversationState, stateOf } from './conversation-record.ts';
import { type AgentRoot, forkRoots, type Roots } from './files/agent-root.ts';
import { ReadCache } from './files/read-cache.ts';
import type { ForkMerge, MergedWork } from './fork-merge.ts';
import type { Judge } from './judgement.ts';
import { missingAnswers, repairedSequence, withMessage } from './message-sequence.ts';
import type { PermissionGuard } from './permission/permission-guard.ts';
import { systemPrompt } from './system-prompt.ts';
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
  /** Absent where nobody judges edits. */
  readonly judge?: Judge;
  /** What the first message begins with; see `openingOf`. */
  readonly opening: string;
  /** Where it is kept; absent: nowhere. */
  readonly kept?: { readonly id: string; readonly transcript: Transcript };
}

export interface ForkOptions {
  /** What the fork's calls must pass; they take the place of asking the user. */
  readonly guards: readonly Guard[];
  readonly commands: CommandRunner;
}

export class Conversation implements AsyncDisposable {
  readonly id: string;
  readonly agent: Agent;
  readonly roots: Roots<AgentRoot>;
  readonly reads: ReadCache;
  readonly permissions: PermissionGuard;
  readonly guards: readonly Guard[];
  readonly ask: Ask | undefined;
  readonly commands: CommandRunner;
  readonly code: CodeConnection | undefined;
  readonly judge: Judge | undefined;
  readonly #opening: string;
  readonly #transcript: Transcript | undefined;
  #prefix: FrozenPrefix;
  #todos: readonly Todo[];
  #usage: Usage = noUsage;
  #isOpened: boolean;
  #isInTurn = false;

  private constructor(parts: ConversationParts, state: ConversationState, shared: SharedParts = {}) {
    this.id = parts.kept?.id ?? randomUUID();
    this.agent = parts.agent;
    this.roots = parts.roots;
    this.reads = new ReadCache(state.seen);
    this.permissions = parts.permissions;
    this.guards = shared.guards ?? [parts.permissions];
    this.ask = parts.ask;
    this.commands = parts.commands;
    this.code = parts.code;
    this.judge = parts.judge;
    this.#opening = parts.opening;
    this.#transcript = parts.kept?.transcript;
    this.#todos = state.todos;
    this.#isOpened = state.messages.length > 0;
    this.#prefix = shared.prefix ?? prefixOf(parts.agent, state.messages);
    if (parts.kept) parts.permissions.keepWith((rule) => this.#record({ kind: 'allowed', rule, at: now() }));
  }

  static begin(parts: ConversationParts): Conversation {
    return new Conversation(parts, { messages: [], todos: [], seen: [], allowed: [] });
  }

  /** A conversation as its record left it, with what was allowed in it. What a crash cut off is answered as interrupted. */
  static async resume(
    parts: ConversationParts & Required<Pick<ConversationParts, 'kept'>>,
  ): Promise<Conversation> {
    const state = stateOf(await parts.kept.transcript.read());
    const conversation = new Conversation(parts, state);
    parts.permissions.restore(state.allowed);
    conversation.answerMissing();
    return conversation;
  }

  /** The request as it stands, which is what forks build upon. */
  get prefix(): FrozenPrefix {
    return this.#prefix;
  }

  get messages(): readonly Message[] {
    return this.#prefix.request.messages;
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  /** What the last request cost; how full the window is can be told from it. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Takes the conversation for one turn; two at once would speak into each other's words. */
  occupy(): Disposable {
    if (this.#isInTurn) throw new ConversationBusy();
    this.#isInTurn = true;
    return {
      [Symbol.dispose]: () => {
        this.#isInTurn = false;
      },
    };
  }

  /** Whether somebody has it for a turn, and the model with it. */
  get isOccupied(): boolean {
    return this.#isInTurn;
  }

  noteUsage(usage: Usage): void {
    this.#usage = usage;
  }

  /** Takes in what the user says; the first time, with what the model must know of its surroundings. */
  addUserMessage(content: readonly UserPart[]): Promise<void> {
    const opening = this.messages.length === 0 && this.#opening !== '';
    return this.#keep({
      role: 'user',
      content: opening ? [{ kind: 'text', text: this.#opening }, ...content] : content,
    });
  }

  /** Takes in what the model said. Nothing said is nothing to keep. */
  async addAssistantMessage(message: AssistantMessage): Promise<void> {
    if (message.content.length > 0) await this.#keep(message);
  }

  /** Takes in the work of a fork, all of it or nothing. */
  async mergeFork(work: MergedWork): Promise<void> {
    const { decision, apply: tell } = this.prepareMerge(work);
    await decision.decide();
    tell();
  }

  /** The same for whoever has something to do that must come true with it. */
  prepareMerge({ seen, todos, usage, ...work }: MergedWork): ForkMerge {
    const mark = randomUUID();
    const messages = repairedSequence(work.messages);
    const entry = { kind: 'absorbed', id: mark, messages, seen: this.#unseen(seen), at: now() } as const;
    const record = this.#transcript?.path;
    return {
      decision: {
        ...(record !== undefined && { place: { record, mark } }),
        decide: () => this.#record({ ...entry, ...(todos && { todos }) }),
      },
      apply: () => {
        for (const message of messages) this.#add(message);
        this.answerMissing();
        this.reads.note(seen);
        this.#todos = todos ?? this.#todos;
        this.#usage = usage ?? this.#usage;
      },
    };
  }

  async noteSeen(seen: readonly SeenFile[]): Promise<void> {
    const fresh = this.#unseen(seen);
    this.reads.note(seen);
    if (fresh.length > 0) await this.#record({ kind: 'seen', files: fresh });
  }

  async setTodos(todos: readonly Todo[]): Promise<void> {
    await this.#record({ kind: 'todos', todos });
    this.#todos = todos;
  }

  /** Puts a summary in the place of everything said so far. The record keeps it all. */
  async summarise(message: UserMessage): Promise<void> {
    await this.#record({ kind: 'summary', message, at: now() });
    this.#prefix = prefixOf(this.agent, [message]);
    this.#usage = noUsage;
  }

  /** The same conversation on files of its own, which nobody hears of until it is absorbed. */
  fork({ guards, commands }: ForkOptions): Conversation {
    const { agent, permissions, judge, code } = this;
    const parts = { agent, roots: forkRoots(this.roots), permissions: permissions.fork(), commands };
    const ports = { ...(judge && { judge }), ...(code && { code: forkConnection(code) }) };
    const fork = new Conversation(
      { ...parts, ...ports, opening: this.#opening },
      { messages: this.messages, todos: this.#todos, seen: this.reads.entries(), allowed: [] },
      { guards, prefix: this.#prefix },
    );
    fork.#usage = this.#usage;
    fork.answerMissing();
    return fork;
  }

  /** Closes its record; nothing more may be said then. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transcript?.[Symbol.asyncDispose]();
  }

  /** Answers calls that nobody answered as interrupted. A record without those answers is read as if it had them. */
  answerMissing(): void {
    const missing = missingAnswers(this.messages);
    if (missing) this.#add(missing);
  }

  #unseen(seen: readonly SeenFile[]): readonly SeenFile[] {
    return seen.filter(({ absolute, hash }) => this.reads.hashOf(absolute) !== hash);
  }

  async #keep(message: Message): Promise<void> {
    await this.#record({ kind: 'message', message, at: now() });
    this.#add(message);
  }

  #add(message: Message): void {
    const { messages } = this;
    const isTurnTaken = messages.at(-1)?.role !== message.role;
    this.#prefix = isTurnTaken
      ? this.#prefix.append(message)
      : prefixOf(this.agent, withMessage(messages, message));
  }

  async #record(entry: ConversationEntry): Promise<void> {
    if (!this.#transcript) return;
    const opened: readonly ConversationEntry[] = this.#isOpened
      ? []
      : [{ kind: 'opened', id: this.id, workspace: this.roots[0].workspace.root, at: now() }];
    await this.#transcript.append(...opened, entry);
    this.#isOpened = true;
  }
}

class ConversationBusy extends Failure {
  readonly code = 'agent/busy';
  readonly remedy = 'Wait until the turn is over, or interrupt it.';

  constructor() {
    super('a turn of this conversation is still under way');
  }
}

/** What a fork has from its parent rather than of its own. */
interface SharedParts {
  readonly guards?: readonly Guard[];
  readonly prefix?: FrozenPrefix;
}

function prefixOf(agent: Agent, messages: readonly Message[]): FrozenPrefix {
  const { client, model, sampling, maxTokens, tools } = agent;
  return frozenPrefix(client.dialect, {
    model,
    system: systemPrompt,
    tools: declarationsOf(tools),
    messages,
    sampling,
    maxTokens,
  });
}

function now(): string {
  return new Date().toISOString();
}
