/** Parses answers of the Anthropic Messages API, event by event. */
import { z } from 'zod';
import type { ModelEvent, StopReason } from './model-event.ts';
import { mintCallId, ProviderError, pieceOf, type StreamReader } from './stream-reader.ts';
import type { Usage } from './usage.ts';

export class AnthropicStream implements StreamReader {
  readonly #blocks = new Map<number, BlockKind>();
  #counts: Counts = {};
  #signature = '';
  #reason: StopReason | undefined;
  #isFinished = false;

  get isFinished(): boolean {
    return this.#isFinished;
  }

  read(piece: string): readonly ModelEvent[] {
    const event = pieceOf(eventSchema, piece);
    switch (event.type) {
      case 'message_start':
        return this.#counted(event.message?.usage);
      case 'content_block_start':
        return this.#opened(event.index ?? 0, event.content_block ?? {});
      case 'content_block_delta':
        return this.#continued(event.index ?? 0, event.delta ?? {});
      case 'content_block_stop':
        return this.#closed(event.index ?? 0);
      case 'message_delta':
        this.#reason = stopReasons.get(event.delta?.stop_reason ?? '') ?? this.#reason;
        return this.#counted(event.usage);
      case 'message_stop':
        this.#isFinished = true;
        return [{ kind: 'stop', reason: this.#reason ?? 'end' }];
      case 'error':
        throw new ProviderError(piece);
      default:
        return [];
    }
  }

  end(): readonly ModelEvent[] {
    return [];
  }

  #opened(index: number, block: z.infer<typeof blockSchema>): readonly ModelEvent[] {
    switch (block.type) {
      case 'text':
        return block.text ? [{ kind: 'text-delta', text: block.text }] : [];
      case 'thinking':
        this.#blocks.set(index, 'thinking');
        this.#signature = block.signature ?? '';
        return block.thinking ? [{ kind: 'thinking-delta', text: block.thinking }] : [];
      case 'redacted_thinking':
        return [{ kind: 'thinking-redacted', data: block.data ?? '' }];
      case 'tool_use':
        this.#blocks.set(index, 'call');
        return [{ kind: 'call-start', call: index, id: block.id || mintCallId(), name: block.name ?? '' }];
      default:
        return [];
    }
  }

  #continued(index: number, delta: z.infer<typeof deltaSchema>): readonly ModelEvent[] {
    switch (delta.type) {
      case 'text_delta':
        return delta.text ? [{ kind: 'text-delta', text: delta.text }] : [];
      case 'thinking_delta':
        return delta.thinking ? [{ kind: 'thinking-delta', text: delta.thinking }] : [];
      case 'signature_delta':
        this.#signature += delta.signature ?? '';
        return [];
      case 'input_json_delta': {
        const isOurs = this.#blocks.get(index) === 'call';
        return isOurs && delta.partial_json
          ? [{ kind: 'call-delta', call: index, json: delta.partial_json }]
          : [];
      }
      default:
        return [];
    }
  }

  #closed(index: number): readonly ModelEvent[] {
    const kind = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (kind === 'call') return [{ kind: 'call-end', call: index }];
    return kind === 'thinking' ? [{ kind: 'thinking-end', signature: this.#signature }] : [];
  }

  /** Counts are cumulative; a count missing in a later event is unchanged. */
  #counted(counts: Counts | null | undefined): readonly ModelEvent[] {
    for (const name of countNames) {
      const count = counts?.[name];
      if (typeof count === 'number') this.#counts = { ...this.#counts, [name]: count };
    }
    return counts ? [{ kind: 'usage', usage: usageOf(this.#counts) }] : [];
  }
}

type BlockKind = 'thinking' | 'call';

const countNames = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
] as const;

/** The service counts tokens read from the cache, written to it and neither separately. */
function usageOf(counts: Counts): Usage {
  const cachedInput = counts.cache_read_input_tokens ?? 0;
  const cacheWrite = counts.cache_creation_input_tokens ?? 0;
  return {
    input: (counts.input_tokens ?? 0) + cachedInput + cacheWrite,
    cachedInput,
    cacheWrite,
    output: counts.output_tokens ?? 0,
  };
}

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'max-tokens'],
  ['stop_sequence', 'stop-sequence'],
  ['refusal', 'refused'],
  ['model_context_window_exceeded', 'context-full'],
  ['pause_turn', 'paused'],
]);

const countSchema = z.number().nullish();

const countsSchema = z.object({
  input_tokens: countSchema,
  cache_read_input_tokens: countSchema,
  cache_creation_input_tokens: countSchema,
  output_tokens: countSchema,
});

type Counts = Partial<z.infer<typeof countsSchema>>;

const blockSchema = z.object({
  type: z.string().optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  data: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
});

const deltaSchema = z.object({
  type: z.string().optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  partial_json: z.string().optional(),
  stop_reason: z.string().nullish(),
});

const eventSchema = z.object({
  type: z.string(),
  index: z.number().optional(),
  message: z.object({ usage: countsSchema.nullish() }).optional(),
  content_block: blockSchema.optional(),
  delta: deltaSchema.optional(),
  usage: countsSchema.nullish(),
});
