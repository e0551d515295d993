/** Parses answers of Ollama's chat API, line by line. */
import { z } from 'zod';
import type { ModelEvent, StopReason } from './model-event.ts';
import { mintCallId, ProviderError, pieceOf, type StreamReader } from './stream-reader.ts';

export class OllamaStream implements StreamReader {
  #calls = 0;
  #isFinished = false;

  get isFinished(): boolean {
    return this.#isFinished;
  }

  read(piece: string): readonly ModelEvent[] {
    const line = pieceOf(lineSchema, piece);
    if (line.error !== undefined) throw new ProviderError(piece);
    const { thinking, content, tool_calls: calls } = line.message ?? {};
    const events: ModelEvent[] = [];
    if (thinking) events.push({ kind: 'thinking-delta', text: thinking });
    if (content) events.push({ kind: 'text-delta', text: content });
    for (const call of calls ?? []) events.push(...this.#called(call));
    if (line.done !== true) return events;
    this.#isFinished = true;
    return [...events, ...ended(line, this.#calls)];
  }

  end(): readonly ModelEvent[] {
    return [];
  }

  /** Calls arrive complete. */
  #called({ id, function: { name, arguments: given } }: z.infer<typeof callSchema>): readonly ModelEvent[] {
    const call = this.#calls;
    this.#calls += 1;
    const json = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    return [
      { kind: 'call-start', call, id: id || mintCallId(), name },
      { kind: 'call-delta', call, json },
      { kind: 'call-end', call },
    ];
  }
}

/** The cached part of the prompt is not reported. */
function ended(line: z.infer<typeof lineSchema>, calls: number): readonly ModelEvent[] {
  const usage = {
    input: line.prompt_eval_count ?? 0,
    cachedInput: undefined,
    cacheWrite: 0,
    output: line.eval_count ?? 0,
  };
  const named: StopReason = line.done_reason === 'length' ? 'max-tokens' : 'end';
  const reason = calls > 0 && named === 'end' ? 'tool-calls' : named;
  return [
    { kind: 'usage', usage },
    { kind: 'stop', reason },
  ];
}

const callSchema = z.object({
  id: z.string().nullish(),
  function: z.object({
    name: z.string(),
    arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
  }),
});

const lineSchema = z.object({
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(callSchema).nullish(),
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.unknown().optional(),
});
