/**
 * One turn: the user's input, then answers and tool calls of the model until it makes no more calls.
 *
 * Invariant: however a turn ends, the conversation is a valid sequence: every call has a result, and interrupted
 * calls say so.
 */
import { Failure } from '../base/failure.ts';
import { type AssistantMessage, textOf, toolCallsOf, type UserPart } from '../model/message.ts';
import type { ModelEvent } from '../model/model-event.ts';
import { ContextTooLong } from '../model/model-failure.ts';
import { askModel, type Reply } from '../model/reply.ts';
import { compact, isNearlyFull } from './compaction.ts';
import type { Conversation } from './conversation.ts';
import { EventQueue } from './event-queue.ts';
import { interruptNotice } from './notice.ts';
import { forcedReply } from './reliability/forced-reply.ts';
import { type RepairedReply, repairReply, repliedTexts } from './reliability/repaired-reply.ts';
import { runCalls } from './tool-round.ts';
import type { TurnEvent, TurnOutcome } from './turn-event.ts';

export interface TurnOptions {
  /** Maximum number of requests to the model. */
  readonly maxRounds?: number;
}

const defaultMaxRounds = 100;

/** Leaving the loop early interrupts the turn, as aborting the signal does. The turn is over when this returns. */
export async function* runTurn(
  conversation: Conversation,
  input: readonly UserPart[],
  options: TurnOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, undefined> {
  using _taken = conversation.occupy();
  const left = new AbortController();
  const queue = new EventQueue<TurnEvent>();
  const turn = new Turn(conversation, queue.put, AbortSignal.any([signal, left.signal]));
  const work = turn.run(input, options.maxRounds ?? defaultMaxRounds).then(
    (outcome) => {
      queue.put({ kind: 'done', outcome });
      queue.close();
    },
    (thrown: unknown) => queue.fail(thrown),
  );
  try {
    yield* queue;
  } finally {
    left.abort(new DOMException('the reader left the turn', 'AbortError'));
    await work;
  }
}

type RoundEnd = TurnOutcome | 'go-on';

class Turn {
  readonly #conversation: Conversation;
  readonly #emit: (event: TurnEvent) => void;
  readonly #signal: AbortSignal;
  /** The part of the current answer received so far. */
  #received = '';
  #asked = '';
  #hasRunTools = false;
  #hasForced = false;

  constructor(conversation: Conversation, emit: (event: TurnEvent) => void, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#emit = emit;
    this.#signal = signal;
  }

  async run(input: readonly UserPart[], maxRounds: number): Promise<TurnOutcome> {
    if (this.#signal.aborted) return { kind: 'interrupted' };
    this.#asked = textOf({ role: 'user', content: input });
    try {
      if (isNearlyFull(this.#conversation)) await this.#compact('');
      await this.#conversation.history.addUserMessage(input);
      for (let round = 1; round <= maxRounds; round += 1) {
        const end = await this.#round();
        if (end !== 'go-on') return end;
        if (isNearlyFull(this.#conversation)) await this.#compact(this.#asked);
      }
      return { kind: 'exhausted', rounds: maxRounds };
    } catch (thrown) {
      this.#conversation.history.answerMissing();
      if (this.#signal.aborted) return await this.#interrupted().catch(failedOutcome);
      return failedOutcome(thrown);
    }
  }

  async #round(): Promise<RoundEnd> {
    const reply = await this.#answer();
    if (reply.kind === 'cut') {
      await this.#conversation.history.addAssistantMessage(spokenOnly(reply.message));
      this.#received = '';
      throw reply.failure;
    }
    const { message, origins } = await this.#repaired(reply);
    await this.#conversation.history.addAssistantMessage(message);
    this.#received = '';
    this.#emit({ kind: 'answer', message });
    const calls = toolCallsOf(message);
    if (calls.length === 0) {
      return reply.stop === 'paused' ? 'go-on' : { kind: 'answered', stop: reply.stop };
    }
    this.#hasRunTools = true;
    const round = { calls, origins, emit: this.#emit };
    const { results, boundary } = await runCalls(this.#conversation, round, this.#signal);
    await this.#conversation.history.addUserMessage(results);
    if (boundary) return { kind: 'halted', boundary };
    this.#signal.throwIfAborted();
    return 'go-on';
  }

  /** Sends a request. If the conversation is too long, it is compacted and sent once more. */
  async #answer(): Promise<Reply> {
    try {
      return await this.#ask();
    } catch (thrown) {
      if (!(thrown instanceof ContextTooLong) || this.#conversation.history.messages.length < 3) throw thrown;
      await this.#compact(this.#asked);
      return this.#ask();
    }
  }

  async #ask(): Promise<Reply> {
    const { agent } = this.#conversation.setup;
    const { prefix } = this.#conversation.history;
    this.#received = '';
    const reply = await askModel(
      agent.client,
      { request: prefix.request, listener: (event) => this.#listen(event) },
      this.#signal,
    );
    this.#conversation.history.noteUsage(reply.usage);
    this.#emit({ kind: 'usage', usage: reply.usage });
    return reply;
  }

  async #repaired(reply: Reply & { readonly kind: 'complete' }): Promise<RepairedReply> {
    const { agent } = this.#conversation.setup;
    for (const text of repliedTexts(reply.message)) this.#emit({ kind: 'text', text });
    const repaired = repairReply(agent, reply);
    if (toolCallsOf(repaired.message).length > 0 || this.#hasForced) return repaired;
    const plain = { message: repaired.message, asked: this.#asked, hasRunTools: this.#hasRunTools };
    const forced = await forcedReply(this.#conversation, plain, this.#signal);
    if (!forced) return repaired;
    this.#hasForced = true;
    this.#emit({ kind: 'usage', usage: forced.usage });
    return forced.reply ?? repaired;
  }

  #listen(event: ModelEvent): void {
    if (event.kind === 'text-delta') this.#received += event.text;
    if (event.kind === 'restart') this.#received = '';
    const reported = reportedOf(event);
    if (reported) this.#emit(reported);
  }

  async #compact(asked: string): Promise<void> {
    const { summary, usage } = await compact(this.#conversation, asked, this.#signal);
    this.#emit({ kind: 'usage', usage });
    this.#emit({ kind: 'compacted', summary });
  }

  /** Keeps the partial answer, because the user has read it. */
  async #interrupted(): Promise<TurnOutcome> {
    const received = this.#received.trim();
    const conversation = this.#conversation;
    if (received !== '' && conversation.history.messages.at(-1)?.role === 'user') {
      await conversation.history.addAssistantMessage({
        role: 'assistant',
        content: [{ kind: 'text', text: received }],
      });
    }
    if (conversation.history.messages.length > 0)
      await conversation.history.addUserMessage([{ kind: 'text', text: interruptNotice }]);
    return { kind: 'interrupted' };
  }
}

/** An error that is not a Failure is a bug and is thrown, not reported as the turn's outcome. */
function failedOutcome(thrown: unknown): TurnOutcome {
  if (!(thrown instanceof Failure)) throw thrown;
  return { kind: 'failed', failure: thrown };
}

/** Keeps only the text of an interrupted answer; its calls were never to be made. */
function spokenOnly({ content }: AssistantMessage): AssistantMessage {
  return {
    role: 'assistant',
    content: content.filter((part) => part.kind === 'text' && part.text.trim() !== ''),
  };
}

/** The event that reports a piece of a streamed answer. */
function reportedOf(event: ModelEvent): TurnEvent | undefined {
  switch (event.kind) {
    case 'text-delta':
      return { kind: 'text', text: event.text };
    case 'thinking-delta':
      return { kind: 'thinking', text: event.text };
    case 'restart':
      return { kind: 'restarted', cause: event.cause };
    case 'retry':
      return { kind: 'retrying', attempt: event.attempt, delayMs: event.delayMs, cause: event.cause };
    default:
      return undefined;
  }
}
