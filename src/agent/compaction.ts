/**
 * Frees space in a context window that is nearly full: the model writes a summary and continues from it.
 *
 * Invariant: facts that can be stated exactly are not left to the model. The todo list, the files it has seen and the
 * user's last request follow the summary verbatim. The record of the conversation keeps everything.
 */
import type { Message, UserMessage } from '../model/message.ts';
import { textOf, userText } from '../model/message.ts';
import { ContextTooLong } from '../model/model-failure.ts';
import { askModel, type Reply } from '../model/reply.ts';
import type { Usage } from '../model/usage.ts';
import type { Conversation } from './conversation.ts';
import { renderTodos } from './todo.ts';

export interface Compaction {
  readonly summary: string;
  readonly usage: Usage;
}

/** Whether the next request may exceed the context window. */
export function isNearlyFull({ setup: { agent }, history: { usage } }: Conversation): boolean {
  const { contextTokens, maxTokens } = agent;
  const room = Math.min(contextTokens * 0.85, contextTokens - maxTokens);
  return usage.input + usage.output > Math.max(room, contextTokens / 2);
}

/** `asked` is the user's input of the current turn; empty between turns. */
export async function compact(
  conversation: Conversation,
  asked: string,
  signal: AbortSignal,
): Promise<Compaction> {
  const reply = await askForSummary(conversation, signal);
  const summary = textOf(reply.message).trim() || usersWords(conversation.history.messages);
  await conversation.history.summarise(summaryMessage(conversation, summary, asked));
  return { summary, usage: reply.usage };
}

/** Sends the whole conversation, whose beginning is cached. If that is too long, long results are shortened. */
async function askForSummary(conversation: Conversation, signal: AbortSignal): Promise<Reply> {
  const { agent } = conversation.setup;
  const { prefix } = conversation.history;
  const ask = (messages: readonly Message[]): Promise<Reply> =>
    askModel(agent.client, { request: { ...prefix.request, messages, tail: 'discarded' } }, signal);
  const asked = withRequest(conversation.history.messages);
  try {
    return await ask(asked);
  } catch (thrown) {
    if (!(thrown instanceof ContextTooLong)) throw thrown;
    return ask(asked.map(shortened));
  }
}

const summaryRequest = `The window is nearly full. Write down what is needed to go on without the conversation above; call no tool.
State: what the user wants, in their own words where they matter; what was decided and why; what is done, with the files and names concerned; what failed and how; what is left to do, in order. Leave out file contents.`;

/** If the conversation ends with a user message, the request is appended to it. */
function withRequest(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, userText(summaryRequest)];
  return [
    ...messages.slice(0, -1),
    { role: 'user', content: [...last.content, { kind: 'text', text: summaryRequest }] },
  ];
}

const keptOfResult = 400;

function shortened(message: Message): Message {
  if (message.role === 'assistant') return message;
  return {
    role: 'user',
    content: message.content.map((part) =>
      part.kind === 'tool-result' && part.text.length > keptOfResult
        ? { ...part, text: `${part.text.slice(0, keptOfResult)} …` }
        : part,
    ),
  };
}

const keptOfWords = 8000;

/** If the model wrote no summary, the user's messages are kept instead. */
function usersWords(messages: readonly Message[]): string {
  const words = messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : []));
  return `The user said:\n${words.join('\n').slice(-keptOfWords)}`;
}

const mostFiles = 100;

function summaryMessage(conversation: Conversation, summary: string, asked: string): UserMessage {
  const { todos, reads } = conversation;
  const { messages } = conversation.history;
  const files = reads.entries().slice(-mostFiles);
  const sections = [
    openingIn(messages),
    `<summary>\nYour summary of the conversation so far:\n${summary}\n</summary>`,
    todos.length > 0 ? `<steps>\n${renderTodos(todos)}\n</steps>` : '',
    files.length > 0
      ? `<files-seen>\n${files.map(({ absolute }) => absolute).join('\n')}\n</files-seen>`
      : '',
    asked === '' ? '' : `<request>\nThe user's last request, which you are working on:\n${asked}\n</request>`,
    'Go on from here. Read a file again before you rely on what it holds.',
  ];
  return userText(sections.filter((section) => section !== '').join('\n\n'));
}

/** The opening of the conversation is repeated after every summary. */
function openingIn([first]: readonly Message[]): string {
  const text = first?.role === 'user' ? textOf({ role: 'user', content: first.content.slice(0, 1) }) : '';
  return (
    /^<environment>[\s\S]*?<\/environment>(\n<project-instructions>[\s\S]*?<\/project-instructions>)?/.exec(
      text,
    )?.[0] ?? ''
  );
}
