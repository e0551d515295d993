import { expect, test } from 'vitest';
import { AnthropicStream } from './anthropic-stream.ts';
import { collectReply } from './reply.ts';

async function received(...events: readonly object[]) {
  const stream = new AnthropicStream();
  async function* said() {
    for (const event of events) yield* stream.read(JSON.stringify(event));
  }
  return collectReply(said());
}

const stop = { type: 'message_stop' };

test('thinking keeps its proof, and pieces of it stay apart', async () => {
  const { message } = await received(
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'one' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'A' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'B' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'zz' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'thinking', thinking: '', signature: 'C' },
    },
    { type: 'content_block_stop', index: 2 },
    stop,
  );
  expect(message.content).toEqual([
    { kind: 'thinking', text: 'one', signature: 'AB' },
    { kind: 'redacted-thinking', data: 'zz' },
    { kind: 'thinking', text: '', signature: 'C' },
  ]);
});

test('counts are cumulative, and what a later event leaves out or nulls stays', async () => {
  const { usage } = await received(
    {
      type: 'message_start',
      message: {
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 900,
          cache_creation_input_tokens: 90,
          output_tokens: 1,
        },
      },
    },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: null, output_tokens: 42 },
    },
    stop,
  );
  expect(usage).toEqual({ input: 1000, cachedInput: 900, cacheWrite: 90, output: 42 });
});

test.each([
  ['end_turn', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'max-tokens'],
  ['stop_sequence', 'stop-sequence'],
  ['refusal', 'refused'],
  ['model_context_window_exceeded', 'context-full'],
  ['pause_turn', 'paused'],
  ['something_new', 'end'],
])('%s means %s', async (stop_reason, expected) => {
  expect(await received({ type: 'message_delta', delta: { stop_reason } }, stop)).toMatchObject({
    stop: expected,
  });
});

test('what is not known is passed over', async () => {
  const reply = await received(
    { type: 'ping' },
    { type: 'brand_new', index: 3 },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: 's', name: 'web' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta' } },
    { type: 'content_block_stop', index: 0 },
    stop,
  );
  expect(reply).toMatchObject({ kind: 'complete', message: { content: [] } });
});
