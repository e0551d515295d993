/**
 * The order in which messages may follow each other.
 *
 * Invariant of a sound sequence: it begins with the user, roles alternate, and every call is answered in the message
 * that follows it, once. Providers and chat templates refuse anything else.
 */
import {
  type Message,
  type ToolCallPart,
  toolCallsOf,
  type UserMessage,
  type UserPart,
} from '../model/message.ts';
import { failedResult, interruptedResult } from './notice.ts';

/** The sequence with one more message; what the same side says twice in a row becomes one message. */
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

/** Makes a sequence sound that a crash or another hand left otherwise: missing answers are added, stray ones dropped. */
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

/** The message that answers calls nobody answered; undefined where there are none. */
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
