/**
 * A conversation as the page shows it: items that only grow or change in place, each change published.
 *
 * Invariant: the items are what a page has after every event published here, so a page that loads later shows the same.
 */
import { interruptNotice, isSurrounding } from '../../agent/notice.ts';
import type { TurnEvent, TurnOutcome } from '../../agent/turn-event.ts';
import type { AssistantMessage, Message, ToolCallPart, ToolResultPart } from '../../model/message.ts';
import { textOf } from '../../model/message.ts';
import type { AgentItem } from '../protocol/agent.ts';
import type { EditorEvent } from '../protocol.ts';
import { judgedVerdict } from './agent-verdict.ts';
import { callDetail, callLine, leadingLine } from './call-words.ts';

type ItemWithoutId = AgentItem extends infer Item
  ? Item extends AgentItem
    ? Omit<Item, 'id'>
    : never
  : never;
type ToolItem = Extract<AgentItem, { readonly kind: 'tool' }>;

export class ShownConversation {
  readonly #publish: (event: EditorEvent) => void;
  readonly #items = new Map<number, AgentItem>();
  /** The items of calls under way, by the id of the call. */
  readonly #calls = new Map<string, { readonly item: number; readonly call: ToolCallPart }>();
  /** The items that the answer under way goes into. */
  readonly #open = new Map<'text' | 'thinking', number>();
  #next = 1;
  /** What the user said last. */
  #message = '';

  constructor(publish: (event: EditorEvent) => void) {
    this.#publish = publish;
  }

  get items(): readonly AgentItem[] {
    return [...this.#items.values()];
  }

  /** Shows another conversation, as its messages have it. */
  show(messages: readonly Message[]): void {
    this.#items.clear();
    this.#calls.clear();
    this.#open.clear();
    this.#hold(messages);
    this.#publish({ kind: 'agent.items', items: [...this.items] });
  }

  /** Adds messages that came in without a turn. */
  add(messages: readonly Message[]): void {
    const known = new Set(this.#items.keys());
    this.#hold(messages);
    for (const item of this.items) if (!known.has(item.id)) this.#publish({ kind: 'agent.item', item });
  }

  say(text: string, along: readonly string[]): void {
    this.#message = text;
    this.#put({ kind: 'user', text, along: [...along] });
  }

  notice(text: string): void {
    this.#put({ kind: 'notice', text });
  }

  fail(text: string, remedy: string): void {
    this.#put({ kind: 'failure', text, remedy, message: this.#message });
  }

  /** Follows a turn. */
  receive(event: TurnEvent): void {
    switch (event.kind) {
      case 'text':
      case 'thinking':
        this.#extend(event.kind, event.text);
        break;
      case 'restarted':
        this.#void();
        break;
      case 'retrying':
        this.notice(`The model did not answer: ${event.cause.message}. Trying again.`);
        break;
      case 'answer':
        this.#settle(event.message);
        break;
      case 'compacted':
        this.notice('The conversation was summed up to make room.');
        break;
      case 'done':
        this.#end(event.outcome);
        break;
      case 'todos':
      case 'usage':
        break;
      default:
        this.#receiveCall(event);
    }
  }

  #receiveCall(event: CallEvent): void {
    switch (event.kind) {
      case 'tool-proposed':
        this.#begin(event.call);
        break;
      case 'tool-permitted':
      case 'tool-started':
        this.#change(event.id, () => ({ state: 'running' }));
        break;
      case 'tool-denied':
        this.#change(event.id, () => ({ state: 'denied', reason: leadingLine(event.reason) }));
        break;
      case 'diagnostics':
        this.#change(event.id, () => ({ verdict: judgedVerdict(event.judgement) }));
        break;
      case 'tool-finished':
        this.#finish(event.result);
        break;
    }
  }

  #begin(call: ToolCallPart): void {
    this.#open.clear();
    const { name: tool } = call;
    const item = this.#put({
      kind: 'tool',
      tool,
      title: callLine(call),
      state: 'asked',
      detail: callDetail(call, undefined),
    });
    this.#calls.set(call.id, { item, call });
  }

  #finish(result: ToolResultPart): void {
    this.#change(result.id, (item, call) => {
      const detail = callDetail(call, result);
      if (item.state === 'denied') return { detail };
      if (result.outcome === 'done') return { state: 'done', detail };
      return { state: 'failed', reason: leadingLine(result.text), detail };
    });
  }

  #change(id: string, change: (item: ToolItem, call: ToolCallPart) => Partial<ToolItem>): void {
    const known = this.#calls.get(id);
    const item = known && this.#items.get(known.item);
    if (!known || item?.kind !== 'tool') return;
    this.#replace({ ...item, ...change(item, known.call) });
  }

  #extend(kind: 'text' | 'thinking', text: string): void {
    const item = this.#items.get(this.#open.get(kind) ?? 0);
    if (item?.kind === kind) {
      this.#items.set(item.id, { ...item, text: item.text + text });
      this.#publish({ kind: 'agent.text', id: item.id, text });
      return;
    }
    this.#open.set(kind, this.#put({ kind, text }));
  }

  /** The answer in the form it has in the conversation: a call that leaked into its text is gone from there. */
  #settle(message: AssistantMessage): void {
    const item = this.#items.get(this.#open.get('text') ?? 0);
    const text = textOf(message);
    if (item?.kind === 'text' && item.text !== text) {
      if (text.trim() === '') this.#remove(item.id);
      else this.#replace({ ...item, text });
    }
    this.#open.clear();
  }

  /** What was heard of an answer that begins anew. */
  #void(): void {
    for (const id of this.#open.values()) this.#remove(id);
    this.#open.clear();
  }

  #end(outcome: TurnOutcome): void {
    this.#open.clear();
    this.#calls.clear();
    for (const item of this.items) {
      if (item.kind === 'tool' && (item.state === 'asked' || item.state === 'running')) {
        this.#replace({ ...item, state: 'failed', reason: 'stopped' });
      }
    }
    if (outcome.kind === 'interrupted') this.notice('Stopped.');
    if (outcome.kind === 'exhausted')
      this.notice(`Stopped after ${outcome.rounds} rounds. Say how to go on.`);
    if (outcome.kind === 'failed') this.fail(outcome.failure.message, outcome.failure.remedy);
  }

  #hold(messages: readonly Message[]): void {
    for (const [index, message] of messages.entries()) {
      for (const item of itemsOf(message, messages[index + 1])) this.#keep(item);
    }
  }

  #put(item: ItemWithoutId): number {
    const kept = this.#keep(item);
    this.#publish({ kind: 'agent.item', item: kept });
    return kept.id;
  }

  #keep(item: ItemWithoutId): AgentItem {
    const id = this.#next;
    this.#next += 1;
    const kept: AgentItem = { ...item, id };
    this.#items.set(id, kept);
    return kept;
  }

  #replace(item: AgentItem): void {
    this.#items.set(item.id, item);
    this.#publish({ kind: 'agent.item', item });
  }

  #remove(id: number): void {
    if (this.#items.delete(id)) this.#publish({ kind: 'agent.gone', id });
  }
}

type CallEvent = Extract<
  TurnEvent,
  {
    readonly kind:
      | 'tool-proposed'
      | 'tool-permitted'
      | 'tool-started'
      | 'tool-denied'
      | 'diagnostics'
      | 'tool-finished';
  }
>;

/** What a message of the record shows; results are shown with the calls they answer. */
function itemsOf(message: Message, next: Message | undefined): readonly ItemWithoutId[] {
  if (message.role === 'user') return saidByUser(message);
  const results = (next?.content ?? []).filter((part) => part.kind === 'tool-result');
  return message.content.flatMap((part): readonly ItemWithoutId[] => {
    if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ kind: 'text', text: part.text }];
    if (part.kind === 'thinking') return [{ kind: 'thinking', text: part.text }];
    if (part.kind !== 'tool-call') return [];
    const result = results.find(({ id }) => id === part.id);
    const isDone = result?.outcome === 'done';
    return [
      {
        kind: 'tool',
        tool: part.name,
        title: callLine(part),
        state: isDone ? 'done' : 'failed',
        ...(!isDone && { reason: leadingLine(result?.text ?? 'stopped') }),
        detail: callDetail(part, result),
      },
    ];
  });
}

function saidByUser({ content }: Extract<Message, { readonly role: 'user' }>): readonly ItemWithoutId[] {
  return content.flatMap((part): readonly ItemWithoutId[] => {
    if (part.kind !== 'text') return [];
    if (part.text === interruptNotice) return [{ kind: 'notice', text: 'Stopped.' }];
    if (part.text.includes('<summary>') && isSurrounding(part.text)) {
      return [{ kind: 'notice', text: 'The conversation was summed up to make room.' }];
    }
    return isSurrounding(part.text) ? [] : [{ kind: 'user', text: part.text, along: [] }];
  });
}
