/**
 * Predicts the user's next input.
 *
 * Invariants: the same model is asked with the same prefix as the conversation; no call of the model is run; its text
 * is shown only if it passes every rule.
 */
import type { Conversation } from '../agent/conversation.ts';
import { repairReply } from '../agent/reliability/repaired-reply.ts';
import { textOf, userText } from '../model/message.ts';
import type { ModelEvent } from '../model/model-event.ts';
import { collectReply } from '../model/reply.ts';
import type { Meter, Prediction } from './engine/speculation-ports.ts';
import { blockingRule } from './suggestion-filter.ts';
import { suggestionPrompt } from './suggestion-prompt.ts';
import { countWords } from './word-count.ts';

export async function suggestInput(
  conversation: Conversation,
  meter: Meter,
  signal: AbortSignal,
): Promise<Prediction> {
  const { agent } = conversation.setup;
  const { prefix } = conversation.history;
  const { request } = prefix.append(userText(suggestionPrompt));
  const events = agent.client.stream({ ...request, tail: 'discarded' }, signal);
  const reply = await collectReply(untilTooLong(events));
  meter.tokens(reply.usage);
  const text = unquoted(textOf(repairReply(agent, { message: reply.message, stop: 'end' }).message));
  if (text === '') return { kind: 'silence', because: 'empty' };
  const rule = blockingRule(text);
  if (rule) return { kind: 'silence', because: rule };
  if (isCopied(conversation, text)) return { kind: 'silence', because: 'copied_text' };
  return { kind: 'suggestion', text };
}

const longestReceived = 400;

/** Stops reading once the model starts to explain itself. */
async function* untilTooLong(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  let received = 0;
  for await (const event of events) {
    yield event;
    if (event.kind === 'text-delta') received += event.text.length;
    if (received > longestReceived) return;
  }
}

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
];

function unquoted(raw: string): string {
  const text = raw.trim();
  const pair = quotes.find(
    ([open, close]) => text.length > 2 && text.startsWith(open) && text.endsWith(close),
  );
  const inner = pair ? text.slice(pair[0].length, -pair[1].length) : text;
  return pair && !inner.includes(pair[0]) && !inner.includes(pair[1]) ? inner.trim() : text;
}

const wordsOfNote = 4;

/**
 * Text from a tool result may have been planted there to be suggested; accepting it would execute an injected
 * instruction.
 */
function isCopied({ history: { messages } }: Conversation, text: string): boolean {
  if (countWords(text).words < wordsOfNote) return false;
  const wanted = text.toLowerCase();
  return messages.some(({ content }) =>
    content.some((part) => part.kind === 'tool-result' && part.text.toLowerCase().includes(wanted)),
  );
}
