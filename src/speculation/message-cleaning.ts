/**
 * The messages of a speculation as they enter the conversation.
 *
 * Invariants: what comes out is sound wherever what went in was; a message nothing had to be taken from is the same
 * object, so that its bytes stay in a provider's cache; what was cut off ends with the user's side, for the model to
 * go on from.
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
  /** `whole`: the model has said what it had to say. `cut`: it goes on from here. */
  readonly ending: 'whole' | 'cut';
  /** Calls whose failure is an answer in itself: a command that ran and reported one. */
  readonly answered?: ReadonlySet<string>;
}

/** Without thinking, without calls that failed or were never made, without notices of interruption. */
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

/** Whether cleaning left everything as it was. */
export function isUntouched(before: readonly Message[], after: readonly Message[]): boolean {
  return before.length === after.length && before.every((message, index) => message === after[index]);
}

/** The calls a message answers, and of those the ones to be dropped. */
interface Answers {
  readonly known: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
}

/**
 * A call is answered by the message after it. Looked for no further, since some providers name the calls of every
 * message alike; the last message of the model may hold calls that nobody has answered.
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
  // Words that only announce a call are nothing without it, unless there are words.
  const hasWords = content.some((part) => part.kind !== 'text' || part.text.trim() !== '');
  return { role: 'assistant', content: hasWords ? content : [] };
}

/** A last word that led to a call which was not made will be said again by whoever goes on. */
function withoutLastWord(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}
