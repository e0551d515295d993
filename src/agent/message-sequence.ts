/**
 * The order in which messages may follow each other.
 *
 * Invariant of a valid sequence: the user begins, roles alternate, and every call is answered exactly once in the
 * following message. Providers and chat templates reject anything else.
 */
import {
  type Message,
  type ToolCallPart,
  toolCallsOf,
  type UserMessage,
  type UserPart,
} from '../model/message.ts';
import { failedResult, interruptedResult } from './notice.ts';

/** Appends a message; two messages of the same role in a row become one. */
export function withMessage(messages: readonly Message[], added: Message): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role === 'user' && added.role === 'user') {
    return [...messages.slice(0, -1), { role: 'user', content: [...last.content, ...added.content] }];
  }
  if (last?.role === 'assistant' && added.role === 'assistant') {
    return [...messages.slice(0, -1), { role: 'assistant', content: [...last.content, ...added.content] }];
  }
  return [...messages, added];
}

/**
 * Makes a sequence valid that a crash or an editor left invalid: missing answers are added, stray answers removed.
 */
export function repairedSequence(messages: readonly Message[]): readonly Message[] {
  let sound: readonly Message[] = [];
  let open: readonly ToolCallPart[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      const content = answering(open, message);
      open = [];
      if (content.length > 0) sound = withMessage(sound, { role: 'user', content });
    } else if (sound.length > 0 && message.content.length > 0) {
      if (open.length > 0) sound = withMessage(sound, interruptedAnswers(open));
      sound = withMessage(sound, message);
      open = toolCallsOf(message);
    }
  }
  return sound;
}

/** The message that answers all open calls; undefined if there are none. */
export function missingAnswers(messages: readonly Message[]): UserMessage | undefined {
  const last = messages.at(-1);
  const calls = last?.role === 'assistant' ? toolCallsOf(last) : [];
  return calls.length === 0 ? undefined : interruptedAnswers(calls);
}

function interruptedAnswers(calls: readonly ToolCallPart[]): UserMessage {
  return { role: 'user', content: calls.map((call) => failedResult(call, interruptedResult)) };
}

function answering(calls: readonly ToolCallPart[], { content }: UserMessage): readonly UserPart[] {
  const results = calls.map(
    (call) =>
      content.find((part) => part.kind === 'tool-result' && part.id === call.id) ??
      failedResult(call, interruptedResult),
  );
  return [...results, ...content.filter(({ kind }) => kind !== 'tool-result')];
}
