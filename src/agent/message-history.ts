/**
 * The messages of a conversation, as sent with the next request.
 *
 * Invariants: the messages are a valid sequence after every method; a message is recorded before it becomes part of
 * the request; the beginning of the request never changes, except when a summary replaces it.
 */
import { type FrozenPrefix, frozenPrefix } from '../model/frozen-prefix.ts';
import type { AssistantMessage, Message, UserMessage, UserPart } from '../model/message.ts';
import { noUsage, type Usage } from '../model/usage.ts';
import { type Agent, declarationsOf } from './agent.ts';
import { type ConversationLog, now } from './conversation-log.ts';
import { missingAnswers, withMessage } from './message-sequence.ts';
import { systemPrompt } from './system-prompt.ts';

export interface HistoryParts {
  readonly agent: Agent;
  /** The beginning of the first message; see `openingOf`. */
  readonly opening: string;
  readonly log: ConversationLog;
}

export class MessageHistory {
  readonly #parts: HistoryParts;
  #prefix: FrozenPrefix;
  #usage: Usage = noUsage;

  private constructor(parts: HistoryParts, prefix: FrozenPrefix) {
    this.#parts = parts;
    this.#prefix = prefix;
  }

  static of(messages: readonly Message[], parts: HistoryParts): MessageHistory {
    return new MessageHistory(parts, prefixOf(parts.agent, messages));
  }

  /** The current request, on which forks build. */
  get prefix(): FrozenPrefix {
    return this.#prefix;
  }

  get messages(): readonly Message[] {
    return this.#prefix.request.messages;
  }

  /** Token usage of the last request, which shows how full the context window is. */
  get usage(): Usage {
    return this.#usage;
  }

  noteUsage(usage: Usage): void {
    this.#usage = usage;
  }

  /** Adds the user's input. The first message begins with the opening. */
  addUserMessage(content: readonly UserPart[]): Promise<void> {
    const { opening } = this.#parts;
    const isOpening = this.messages.length === 0 && opening !== '';
    return this.#keep({
      role: 'user',
      content: isOpening ? [{ kind: 'text', text: opening }, ...content] : content,
    });
  }

  /** Adds the model's answer; an empty one is dropped. */
  async addAssistantMessage(message: AssistantMessage): Promise<void> {
    if (message.content.length > 0) await this.#keep(message);
  }

  /** Adds messages that are already recorded. */
  addRecorded(messages: readonly Message[]): void {
    for (const message of messages) this.#add(message);
    this.answerMissing();
  }

  /** Replaces all messages so far with a summary. The record keeps them. */
  async summarise(message: UserMessage): Promise<void> {
    await this.#parts.log.append({ kind: 'summary', message, at: now() });
    this.#prefix = prefixOf(this.#parts.agent, [message]);
    this.#usage = noUsage;
  }

  /** Answers open tool calls as interrupted. The answers need not be recorded: reading a record adds them. */
  answerMissing(): void {
    const missing = missingAnswers(this.messages);
    if (missing) this.#add(missing);
  }

  /** A copy of the messages for a fork. */
  fork(log: ConversationLog): MessageHistory {
    const fork = new MessageHistory({ ...this.#parts, log }, this.#prefix);
    fork.#usage = this.#usage;
    fork.answerMissing();
    return fork;
  }

  async #keep(message: Message): Promise<void> {
    await this.#parts.log.append({ kind: 'message', message, at: now() });
    this.#add(message);
  }

  #add(message: Message): void {
    const { messages } = this;
    const isTurnTaken = messages.at(-1)?.role !== message.role;
    this.#prefix = isTurnTaken
      ? this.#prefix.append(message)
      : prefixOf(this.#parts.agent, withMessage(messages, message));
  }
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
