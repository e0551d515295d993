/**
 * Parses answers of the chat completions API, chunk by chunk.
 *
 * Servers deviate from it: ids, indexes and names may be missing or repeated, and the reason may be `stop` although
 * tools were called. Such answers are accepted.
 */
import { z } from 'zod';
import type { ModelEvent, StopReason } from './model-event.ts';
import { mintCallId, ProviderError, pieceOf, type StreamReader } from './stream-reader.ts';
import type { Usage } from './usage.ts';

export class ChatStream implements StreamReader {
  readonly #calls = new Map<number, OpenCall>();
  #latestCall = -1;
  #finishReason: string | undefined;
  #hasSaid = false;
  #isFinished = false;

  get isFinished(): boolean {
    return this.#isFinished;
  }

  read(piece: string): readonly ModelEvent[] {
    if (piece.trim() === '[DONE]') {
      this.#isFinished = true;
      // A server that ends properly without a reason has completed its answer.
      if (this.#hasSaid) this.#finishReason ??= 'stop';
      return this.#stopped();
    }
    const chunk = pieceOf(chunkSchema, piece);
    if (chunk.error !== undefined && chunk.error !== null) throw new ProviderError(piece);
    const [choice] = chunk.choices ?? [];
    const events = choice?.delta ? this.#said(choice.delta) : [];
    if (choice?.finish_reason) this.#finishReason = choice.finish_reason;
    const usage = usageOf(chunk);
    this.#hasSaid ||= events.length > 0;
    return usage ? [...events, { kind: 'usage', usage }] : events;
  }

  end(): readonly ModelEvent[] {
    return this.#isFinished ? [] : this.#stopped();
  }

  #said(delta: z.infer<typeof deltaSchema>): readonly ModelEvent[] {
    const thinking = delta.reasoning_content || delta.reasoning;
    const text = delta.content || delta.refusal;
    return [
      ...(thinking ? [{ kind: 'thinking-delta', text: thinking } as const] : []),
      ...(text ? [{ kind: 'text-delta', text } as const] : []),
      ...(delta.tool_calls ?? []).flatMap((fragment) => this.#called(fragment)),
    ];
  }

  #called(fragment: z.infer<typeof fragmentSchema>): readonly ModelEvent[] {
    const place = this.#placeOf(fragment);
    const call = this.#calls.get(place) ?? { id: '', hasStarted: false, held: '' };
    this.#calls.set(place, call);
    this.#latestCall = Math.max(this.#latestCall, place);
    call.id ||= fragment.id ?? '';
    const { name, arguments: given } = fragment.function ?? {};
    call.held += typeof given === 'string' ? given : given ? JSON.stringify(given) : '';
    const events: ModelEvent[] = [];
    if (!call.hasStarted && name) {
      call.hasStarted = true;
      events.push({ kind: 'call-start', call: place, id: call.id || mintCallId(), name });
    }
    if (call.hasStarted && call.held !== '') {
      events.push({ kind: 'call-delta', call: place, json: call.held });
      call.held = '';
    }
    return events;
  }

  /** Fragments without an index belong to the latest call, unless they begin another one. */
  #placeOf({ index, id }: z.infer<typeof fragmentSchema>): number {
    if (typeof index === 'number') return index;
    const latest = this.#calls.get(this.#latestCall);
    const isAnother = latest === undefined || (Boolean(id) && latest.id !== '' && latest.id !== id);
    return isAnother ? this.#latestCall + 1 : this.#latestCall;
  }

  #stopped(): readonly ModelEvent[] {
    if (this.#finishReason === undefined) return [];
    const started = [...this.#calls].filter(([, { hasStarted }]) => hasStarted);
    const ends = started.map(([call]) => ({ kind: 'call-end', call }) as const);
    // Received calls are more reliable than the stated reason.
    const ended = started.length > 0 ? 'tool-calls' : 'end';
    const reason = stopReasons.get(this.#finishReason) ?? ended;
    return [...ends, { kind: 'stop', reason }];
  }
}

interface OpenCall {
  id: string;
  hasStarted: boolean;
  /** Arguments received before the name. */
  held: string;
}

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['length', 'max-tokens'],
  ['content_filter', 'refused'],
]);

function usageOf({ usage, timings }: z.infer<typeof chunkSchema>): Usage | undefined {
  if (!usage) return undefined;
  const cachedInput = usage.prompt_tokens_details?.cached_tokens ?? timings?.cache_n ?? undefined;
  return {
    input: usage.prompt_tokens ?? 0,
    cachedInput,
    cacheWrite: 0,
    output: usage.completion_tokens ?? 0,
  };
}

const fragmentSchema = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});

const deltaSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(fragmentSchema).nullish(),
});

const chunkSchema = z.object({
  choices: z.array(z.object({ delta: deltaSchema.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
  timings: z.object({ cache_n: z.number().nullish() }).nullish(),
  error: z.unknown().optional(),
});
