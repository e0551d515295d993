/** The three ways in which providers write an answer, as the bytes they send. */
import type { JsonObject } from '../../src/model/json-value.ts';
import type { PromptCount } from './scripted-provider-cache.ts';

export interface ScriptedCall {
  readonly call: string;
  /** The group that a tool was offered in, where a dialect has groups. */
  readonly namespace?: string;
  /** A text is sent as it is, JSON or not. */
  readonly arguments: JsonObject | string;
  /** Left out, the provider's own way of naming calls is used; empty, none is sent where the dialect allows it. */
  readonly id?: string;
}

export interface ScriptedError {
  readonly type: string;
  readonly message: string;
}

export type ScriptedStop = 'end' | 'max-tokens' | 'refused';

/** One answer being written. Each method gives the chunks to send, in order. */
export interface Wire {
  readonly contentType: string;
  begin(count: PromptCount): readonly string[];
  text(token: string): readonly string[];
  thinking(token: string): readonly string[];
  thinkingEnd(signature: string): readonly string[];
  call(call: ScriptedCall): readonly string[];
  error(error: ScriptedError): readonly string[];
  finish(stop: ScriptedStop, count: PromptCount): readonly string[];
}

/** Words and the space before them, much as models cut text. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,8}|\s+$/g) ?? [];
}

export function anthropicWire(): Wire {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  let index = -1;
  let open: 'text' | 'thinking' | undefined;
  let output = 0;
  let calls = 0;
  const close = (): string[] => {
    if (open === undefined) return [];
    open = undefined;
    return [event('content_block_stop', { index })];
  };
  const begin = (block: { readonly type: string; readonly [field: string]: unknown }): string => {
    index += 1;
    return event('content_block_start', { index, content_block: block });
  };
  const into = (kind: 'text' | 'thinking', delta: object): readonly string[] => {
    output += 1;
    const chunks: string[] = [];
    if (open !== kind) {
      chunks.push(
        ...close(),
        begin(kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' }),
      );
      open = kind;
    }
    return [...chunks, event('content_block_delta', { index, delta })];
  };
  return {
    contentType: 'text/event-stream',
    begin: ({ promptTokens, cachedTokens, writtenTokens }) => [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [],
          usage: {
            input_tokens: promptTokens - cachedTokens - writtenTokens,
            cache_read_input_tokens: cachedTokens,
            cache_creation_input_tokens: writtenTokens,
            output_tokens: 1,
          },
        },
      }),
      event('ping', {}),
    ],
    text: (text) => into('text', { type: 'text_delta', text }),
    thinking: (thinking) => into('thinking', { type: 'thinking_delta', thinking }),
    thinkingEnd: (signature) => [...into('thinking', { type: 'signature_delta', signature }), ...close()],
    call({ call, arguments: given, id }) {
      calls += 1;
      const json = typeof given === 'string' ? given : JSON.stringify(given);
      const start = [
        ...close(),
        begin({ type: 'tool_use', id: id || `toolu_${calls}`, name: call, input: {} }),
      ];
      const deltas = tokensOf(json).map((partial_json) =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }),
      );
      output += deltas.length;
      return [...start, ...deltas, event('content_block_stop', { index })];
    },
    error: (error) => [event('error', { error })],
    finish(stop) {
      const reason = {
        end: calls > 0 ? 'tool_use' : 'end_turn',
        'max-tokens': 'max_tokens',
        refused: 'refusal',
      }[stop];
      return [
        ...close(),
        event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: output } }),
        event('message_stop', {}),
      ];
    },
  };
}

export function chatWire(): Wire {
  const chunk = (fields: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...fields })}\n\n`;
  const delta = (fields: object, finish_reason: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: fields, finish_reason }] });
  let calls = 0;
  let output = 0;
  const counted = (chunks: readonly string[]): readonly string[] => {
    output += chunks.length;
    return chunks;
  };
  return {
    contentType: 'text/event-stream',
    begin: () => [': keep-alive\n\n', delta({ role: 'assistant', content: '' })],
    text: (content) => counted([delta({ content })]),
    thinking: (reasoning_content) => counted([delta({ reasoning_content })]),
    thinkingEnd: () => [],
    call({ call: name, arguments: given, id = `call_${calls + 1}` }) {
      const index = calls;
      calls += 1;
      const json = typeof given === 'string' ? given : JSON.stringify(given);
      const named = { ...(id !== '' && { id }), type: 'function', function: { name, arguments: '' } };
      return counted([
        delta({ tool_calls: [{ index, ...named }] }),
        ...tokensOf(json).map((fragment) =>
          delta({ tool_calls: [{ index, function: { arguments: fragment } }] }),
        ),
      ]);
    },
    error: (error) => [`data: ${JSON.stringify({ error })}\n\n`],
    finish(stop, { promptTokens, cachedTokens }) {
      const reason = {
        end: calls > 0 ? 'tool_calls' : 'stop',
        'max-tokens': 'length',
        refused: 'content_filter',
      }[stop];
      return [
        delta({}, reason),
        chunk({
          choices: [],
          usage: {
            prompt_tokens: promptTokens,
            completion_tokens: output,
            prompt_tokens_details: { cached_tokens: cachedTokens },
          },
        }),
        'data: [DONE]\n\n',
      ];
    },
  };
}

export function ollamaWire(): Wire {
  const line = (fields: object): string =>
    `${JSON.stringify({ model: 'scripted', created_at: '2026-01-01T00:00:00Z', ...fields })}\n`;
  const said = (fields: object): readonly string[] => {
    output += 1;
    return [line({ message: { role: 'assistant', content: '', ...fields }, done: false })];
  };
  let output = 0;
  return {
    contentType: 'application/x-ndjson',
    begin: () => [],
    text: (content) => said({ content }),
    thinking: (thinking) => said({ thinking }),
    thinkingEnd: () => [],
    call: ({ call: name, arguments: given, id }) =>
      said({ tool_calls: [{ ...(id && { id }), function: { name, arguments: given } }] }),
    error: ({ message }) => [`${JSON.stringify({ error: message })}\n`],
    finish: (stop, { promptTokens }) => [
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: stop === 'max-tokens' ? 'length' : 'stop',
        prompt_eval_count: promptTokens,
        eval_count: output,
      }),
    ],
  };
}
