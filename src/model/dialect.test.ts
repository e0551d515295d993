import { describe, expect, test } from 'vitest';
import { anthropicDialect } from './anthropic-dialect.ts';
import { chatDialect } from './chat-dialect.ts';
import type { Message } from './message.ts';
import type { ModelRequest } from './model-request.ts';
import { ollamaDialect } from './ollama-dialect.ts';

const messages: readonly Message[] = [
  {
    role: 'user',
    content: [
      { kind: 'text', text: 'What is this?' },
      { kind: 'image', mediaType: 'image/png', base64: 'aGk=' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { kind: 'thinking', text: 'A file.', signature: 'proof' },
      { kind: 'redacted-thinking', data: 'hidden' },
      { kind: 'text', text: 'Let me see.' },
      { kind: 'tool-call', id: 'c:1', name: 'Read', input: { kind: 'object', value: { path: 'a' } } },
      { kind: 'tool-call', id: 'c2', name: 'Read', input: { kind: 'malformed', text: '{"pa' } },
    ],
  },
  {
    role: 'user',
    content: [
      { kind: 'text', text: 'Go on.' },
      { kind: 'tool-result', id: 'c:1', name: 'Read', text: 'x', outcome: 'done' },
      { kind: 'tool-result', id: 'c2', name: 'Read', text: 'not JSON', outcome: 'failed' },
    ],
  },
  { role: 'assistant', content: [{ kind: 'thinking', text: 'cut off' }] },
];

const request: ModelRequest = {
  model: 'claude-sonnet-4-5',
  system: 'Be terse.',
  tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } }],
  messages,
  sampling: { temperature: 0, topP: 0.9, seed: 1, stopSequences: ['END'], thinking: 'off' },
  maxTokens: 1000,
  toolChoice: 'required',
};

/** A body with its parts on separate lines; otherwise the bytes are the same. */
function lines(body: string): string {
  return body.replace(/(?<=[[,])(?=\{"role"|"tools"|"system"|"messages"|\{"type"|\{"id"|"options")/g, '\n');
}

describe('one conversation as each dialect writes it', () => {
  test('Anthropic Messages', () => {
    expect(lines(anthropicDialect.body(request))).toMatchInlineSnapshot(`
      "{"model":"claude-sonnet-4-5","max_tokens":1000,"stream":true,"temperature":0,"stop_sequences":["END"],"tool_choice":{"type":"any"},
      "tools":[{"name":"Read","description":"Reads.","input_schema":{"type":"object"}}],
      "system":[
      {"type":"text","text":"Be terse.","cache_control":{"type":"ephemeral"}}],
      "messages":[
      {"role":"user","content":[
      {"type":"text","text":"What is this?"},
      {"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="},"cache_control":{"type":"ephemeral"}}]},
      {"role":"assistant","content":[
      {"type":"thinking","thinking":"A file.","signature":"proof"},
      {"type":"redacted_thinking","data":"hidden"},
      {"type":"text","text":"Let me see."},
      {"type":"tool_use","id":"c_1","name":"Read","input":{"path":"a"}},
      {"type":"tool_use","id":"c2","name":"Read","input":{"malformed_arguments":"{\\"pa"}}]},
      {"role":"user","content":[
      {"type":"tool_result","tool_use_id":"c_1","content":"x"},
      {"type":"tool_result","tool_use_id":"c2","content":"not JSON","is_error":true},
      {"type":"text","text":"Go on.","cache_control":{"type":"ephemeral"}}]}]}"
    `);
  });

  test('chat completions', () => {
    const traits = {
      provider: 'vllm',
      limitField: 'max_tokens',
      thinkingField: 'chat_template_kwargs',
    } as const;
    expect(lines(chatDialect(traits).body(request))).toMatchInlineSnapshot(`
      "{"model":"claude-sonnet-4-5","stream":true,"stream_options":{"include_usage":true},"max_tokens":1000,"temperature":0,"top_p":0.9,"seed":1,"stop":["END"],"chat_template_kwargs":{"enable_thinking":false},"tool_choice":"required",
      "tools":[
      {"type":"function","function":{"name":"Read","description":"Reads.","parameters":{"type":"object"}}}],
      "messages":[
      {"role":"system","content":"Be terse."},
      {"role":"user","content":[
      {"type":"text","text":"What is this?"},
      {"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]},
      {"role":"assistant","content":"Let me see.","tool_calls":[
      {"id":"c:1","type":"function","function":{"name":"Read","arguments":"{\\"path\\":\\"a\\"}"}},
      {"id":"c2","type":"function","function":{"name":"Read","arguments":"{\\"malformed_arguments\\":\\"{\\\\\\"pa\\"}"}}]},
      {"role":"tool","tool_call_id":"c:1","content":"x"},
      {"role":"tool","tool_call_id":"c2","content":"not JSON"},
      {"role":"user","content":"Go on."}]}"
    `);
  });

  test('Ollama', () => {
    expect(
      lines(ollamaDialect({ contextTokens: 4096, thinking: 'switch' }).body(request)),
    ).toMatchInlineSnapshot(`
      "{"model":"claude-sonnet-4-5","stream":true,"think":false,"keep_alive":"30m","truncate":false,"shift":false,
      "options":{"num_ctx":4096,"num_predict":1000,"temperature":0,"top_p":0.9,"seed":1,"stop":["END"]},
      "tools":[
      {"type":"function","function":{"name":"Read","description":"Reads.","parameters":{"type":"object"}}}],
      "messages":[
      {"role":"system","content":"Be terse."},
      {"role":"user","content":"What is this?","images":["aGk="]},
      {"role":"assistant","content":"Let me see.","thinking":"A file.","tool_calls":[
      {"id":"c:1","function":{"name":"Read","arguments":{"path":"a"}}},
      {"id":"c2","function":{"name":"Read","arguments":{"malformed_arguments":"{\\"pa"}}}]},
      {"role":"tool","tool_name":"Read","tool_call_id":"c:1","content":"x"},
      {"role":"tool","tool_name":"Read","tool_call_id":"c2","content":"not JSON"},
      {"role":"user","content":"Go on."},
      {"role":"assistant","content":"","thinking":"cut off"}]}"
    `);
  });
});

describe('thinking is asked for as each model understands it', () => {
  const thinking = {
    ...request,
    maxTokens: 4000,
    sampling: { ...request.sampling, thinking: 'medium' },
  } as const;
  const sampled = (body: string): unknown => JSON.parse(body);

  test.each([
    ['claude-3-5-haiku-latest', { temperature: 0 }, ['thinking', 'output_config']],
    [
      'claude-sonnet-4-5',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      ['temperature', 'top_p', 'output_config'],
    ],
    [
      'claude-opus-4-8',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
      ['temperature', 'top_p'],
    ],
  ])('%s', (model, present, absent) => {
    const body = sampled(anthropicDialect.body({ ...thinking, model }));
    expect(body).toMatchObject(present);
    for (const field of absent) expect(body).not.toHaveProperty(field);
  });

  test('a limit too small to think within leaves thinking out', () => {
    const body = sampled(anthropicDialect.body({ ...thinking, maxTokens: 1024 }));
    expect(body).not.toHaveProperty('thinking');
    expect(body).toMatchObject({ temperature: 0 });
  });

  test('OpenAI takes an effort from models that think, and a temperature from those that do not', () => {
    const dialect = chatDialect({
      provider: 'openai',
      limitField: 'max_completion_tokens',
      thinkingField: 'reasoning_effort',
    });
    const thinker = sampled(dialect.body({ ...thinking, model: 'gpt-5.2' }));
    expect(thinker).toMatchObject({ reasoning_effort: 'medium', max_completion_tokens: 4000 });
    expect(thinker).not.toHaveProperty('temperature');
    const talker = sampled(dialect.body({ ...thinking, model: 'gpt-4.1' }));
    expect(talker).toMatchObject({ temperature: 0 });
    expect(talker).not.toHaveProperty('reasoning_effort');
  });

  test.each([
    ['none', 'medium', undefined],
    ['switch', 'off', false],
    ['switch', 'medium', true],
    ['effort', 'medium', 'medium'],
  ] as const)('an Ollama model with %s told %s', (ability, level, think) => {
    const dialect = ollamaDialect({ contextTokens: 4096, thinking: ability });
    const body = sampled(dialect.body({ ...request, sampling: { thinking: level } }));
    expect(Object(body).think).toBe(think);
  });
});

test('without a system prompt the tools carry the mark, and without either there is none', () => {
  const bare = { ...request, system: '', messages: [] };
  expect(anthropicDialect.body(bare).match(/cache_control/g)).toHaveLength(1);
  expect(anthropicDialect.body({ ...bare, tools: [] })).not.toContain('cache_control');
});
