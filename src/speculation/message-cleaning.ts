/**
 * Prepares the messages of a speculation for the conversation.
 *
 * Invariants: a valid sequence stays valid; an unchanged message is the same object, so that its bytes stay in a
 * provider's cache; a cut sequence ends with a user message, from which the model continues.
 */
import { withMessage } from '../agent/message-sequence.ts';
import { interruptNotice, isNoticeResult } from '../agent/notice.ts';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolResultPart,
  UserMessage,
  UserPart,
} from '../model/message.ts';

export interface CleaningOptions {
  /** `whole`: the model has finished its answer. `cut`: it continues from here. */
  readonly ending: 'whole' | 'cut';
  /** Calls whose failure is a result: a command that ran and failed. */
  readonly answered?: ReadonlySet<string>;
}

/** Removes thinking, calls that failed or were not made, and interruption notices. */
export function cleanMessages(
  messages: readonly Message[],
  { ending, answered = new Set() }: CleaningOptions,
): readonly Message[] {
  let clean: readonly Message[] = [];
  for (const [index, message] of messages.entries()) {
    const kept =
      message.role === 'user'
        ? received(message, answersIn(message, answered))
        : said(message, answersIn(messages[index + 1], answered));
    if (kept.content.length > 0) clean = withMessage(clean, kept);
  }
  return ending === 'cut' ? withoutLastWord(clean) : clean;
}

/** Whether cleaning changed nothing. */
export function isUntouched(before: readonly Message[], after: readonly Message[]): boolean {
  return before.length === after.length && before.every((message, index) => message === after[index]);
}

/** The calls that a message answers, and those of them to drop. */
interface Answers {
  readonly known: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
}

/**
 * A call is answered by the next message. Only that one is searched, since some providers reuse call ids in every
 * message; the last message may have unanswered calls.
 */
function answersIn(message: Message | undefined, answered: ReadonlySet<string>): Answers {
  const results = message?.role === 'user' ? message.content.filter(isResult) : [];
  const dropped = results.filter((result) => !isWorthKeeping(result, answered));
  return { known: new Set(results.map(({ id }) => id)), dropped: new Set(dropped.map(({ id }) => id)) };
}

function isResult(part: UserPart | AssistantPart): part is ToolResultPart {
  return part.kind === 'tool-result';
}

function isWorthKeeping(result: ToolResultPart, answered: ReadonlySet<string>): boolean {
  if (result.outcome === 'done') return true;
  return answered.has(result.id) && !isNoticeResult(result);
}

function received(message: UserMessage, { dropped }: Answers): UserMessage {
  const content = message.content.filter((part) => {
    if (part.kind === 'tool-result') return !dropped.has(part.id);
    return part.kind !== 'text' || part.text !== interruptNotice;
  });
  return content.length === message.content.length ? message : { role: 'user', content };
}

function said(message: AssistantMessage, { dropped, known }: Answers): AssistantMessage {
  const content = message.content.filter((part) => {
    if (part.kind === 'tool-call') return known.has(part.id) && !dropped.has(part.id);
    return part.kind === 'text';
  });
  if (content.length === message.content.length) return message;
  // Text that only announces a dropped call is kept if it is not blank.
  const hasWords = content.some((part) => part.kind !== 'text' || part.text.trim() !== '');
  return { role: 'assistant', content: hasWords ? content : [] };
}

/** A last text that led to a call which was not made is removed; the model will repeat it. */
function withoutLastWord(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}
