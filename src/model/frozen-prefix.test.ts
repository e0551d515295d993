import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from './anthropic-dialect.ts';
import { chatDialect } from './chat-dialect.ts';
import { closing, type Dialect } from './dialect.ts';
import { type FrozenPrefix, frozenPrefix, type Segment } from './frozen-prefix.ts';
import type { JsonObject } from './json-value.ts';
import { type AssistantPart, type Message, type UserPart, userText } from './message.ts';
import type { ModelRequest, Sampling } from './model-request.ts';
import { ollamaDialect } from './ollama-dialect.ts';

const dialects: readonly (readonly [string, Dialect])[] = [
  ['anthropic', anthropicDialect],
  [
    'chat',
    chatDialect({ provider: 'llamacpp', limitField: 'max_tokens', thinkingField: 'chat_template_kwargs' }),
  ],
  ['ollama', ollamaDialect({ contextTokens: 32_768, thinking: 'switch' })],
];

const text = fc.string({ unit: 'binary', maxLength: 40 });

const object: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)));

const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  fc.record({ kind: fc.constant('text'), text }),
  fc.record({
    kind: fc.constant('tool-result'),
    id: text,
    name: text,
    text,
    outcome: fc.constantFrom('done', 'failed'),
  }),
  fc.record({ kind: fc.constant('image'), mediaType: fc.constant('image/png'), base64: fc.base64String() }),
);

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ kind: fc.constant('text'), text }),
  fc.record({ kind: fc.constant('thinking'), text }),
  fc.record({ kind: fc.constant('thinking'), text, signature: text }),
  fc.record({ kind: fc.constant('redacted-thinking'), data: text }),
  fc.record({
    kind: fc.constant('tool-call'),
    id: text,
    name: text,
    input: fc.oneof(
      fc.record({ kind: fc.constant('object'), value: object }),
      fc.record({ kind: fc.constant('malformed'), text }),
    ),
  }),
);

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.array(userPart, { maxLength: 4 }) }),
  fc.record({ role: fc.constant('assistant'), content: fc.array(assistantPart, { maxLength: 4 }) }),
);

const request: fc.Arbitrary<ModelRequest> = fc.record({
  model: fc.constantFrom('claude-sonnet-4-5', 'claude-opus-4-8', 'qwen3:8b'),
  system: text,
  tools: fc.array(fc.record({ name: text, description: text, inputSchema: object }), { maxLength: 3 }),
  messages: fc.array(message, { maxLength: 8 }),
  sampling: fc.record({
    temperature: fc.double({ noNaN: true, min: 0, max: 2 }),
    thinking: fc.constantFrom('off', 'low', 'medium', 'high'),
  }),
  maxTokens: fc.integer({ min: 1, max: 64_000 }),
});

const mark = /,"cache_control":\{"type":"ephemeral"\}/g;

describe.each(dialects)('%s', (_, dialect) => {
  const law = (name: string, check: (request: ModelRequest, added: readonly Message[]) => void): void =>
    test(name, () =>
      fc.assert(fc.property(request, fc.array(message, { maxLength: 5 }), check), { numRuns: 60 }),
    );

  law('a fork begins with the bytes of its parent', (parent, added) => {
    const prefix = frozenPrefix(dialect, parent);
    const fork = prefix.append(...added);
    expect(fork.bytes.startsWith(prefix.bytes)).toBe(true);
    expect(fork.divergence(prefix)).toEqual([]);
  });

  law('appending gives what freezing the whole gives', (parent, added) => {
    const whole = frozenPrefix(dialect, { ...parent, messages: [...parent.messages, ...added] });
    const fork = frozenPrefix(dialect, parent).append(...added);
    expect([fork.bytes, fork.hashes]).toEqual([whole.bytes, whole.hashes]);
  });

  law('what is sent is the frozen bytes, closed, with nothing but marks added', (sent) => {
    const { bytes } = frozenPrefix(dialect, sent);
    const body = dialect.body(sent);
    expect(body.replace(mark, '')).toBe(`${bytes.replace(mark, '')}${closing}`);
  });

  law('what is sent is JSON with the messages last', (sent) => {
    const body: unknown = JSON.parse(dialect.body(sent));
    expect(Object.keys(Object(body)).at(-1)).toBe('messages');
    expect(body).toMatchObject({ model: sent.model, stream: true });
  });

  law('a fork that is thrown away leaves even the marks of its parent where they were', (parent) => {
    const fork: ModelRequest = {
      ...parent,
      messages: [...parent.messages, { role: 'assistant', content: [] }, userText('what comes next?')],
      tail: 'discarded',
    };
    const sent = dialect.body(parent);
    expect(dialect.body(fork).startsWith(sent.slice(0, -closing.length))).toBe(true);
  });

  law('a message read back from a transcript is written the same', (_parent, messages) => {
    for (const said of messages) {
      expect(dialect.message(JSON.parse(JSON.stringify(said)))).toBe(dialect.message(said));
    }
  });
});

describe('a changed parameter shows in its segment and no other', () => {
  const tool = { name: 'Read', description: 'Reads.', inputSchema: { type: 'object', required: ['path'] } };
  const other = { ...tool, name: 'Write' };
  const parent: ModelRequest = {
    model: 'claude-sonnet-4-5',
    system: 'Be terse.',
    tools: [tool, other],
    messages: [userText('first'), { role: 'assistant', content: [{ kind: 'text', text: 'yes' }] }],
    sampling: { temperature: 0, topP: 1, stopSequences: ['END'], thinking: 'off' },
    maxTokens: 4000,
    toolChoice: 'auto',
  };
  const { sampling } = parent;
  const changes: readonly (readonly [string, Segment, Partial<ModelRequest>])[] = [
    ['model', 'model', { model: 'claude-sonnet-4-0' }],
    ['temperature', 'sampling', { sampling: { ...sampling, temperature: 0.1 } }],
    ['top p', 'sampling', { sampling: { ...sampling, topP: 0.9 } }],
    ['seed', 'sampling', { sampling: { ...sampling, seed: 7 } }],
    ['stop sequences', 'sampling', { sampling: { ...sampling, stopSequences: [] } }],
    ['thinking', 'sampling', { sampling: { ...sampling, thinking: 'low' } }],
    ['limit', 'sampling', { maxTokens: 4001 }],
    ['tool choice', 'sampling', { toolChoice: 'none' }],
    ['tool left out', 'tools', { tools: [tool] }],
    ['all tools left out', 'tools', { tools: [] }],
    ['order of tools', 'tools', { tools: [other, tool] }],
    ['name of a tool', 'tools', { tools: [{ ...tool, name: 'read' }, other] }],
    ['description of a tool', 'tools', { tools: [{ ...tool, description: 'Reads' }, other] }],
    ['schema of a tool', 'tools', { tools: [{ ...tool, inputSchema: { type: 'object' } }, other] }],
    [
      'order in the schema of a tool',
      'tools',
      { tools: [{ ...tool, inputSchema: { required: ['path'], type: 'object' } }, other] },
    ],
    ['system prompt', 'system', { system: 'Be terse. ' }],
    ['no system prompt', 'system', { system: '' }],
    ['words of a message', 'messages', { messages: [userText('First'), ...parent.messages.slice(1)] }],
    ['message left out', 'messages', { messages: parent.messages.slice(1) }],
    ['messages cut short', 'messages', { messages: parent.messages.slice(0, 1) }],
    ['order of messages', 'messages', { messages: [...parent.messages].reverse() }],
  ];
  /** A new parameter must be listed here, with the changes that show it. */
  const covered: Readonly<Record<Exclude<keyof ModelRequest, 'tail' | 'sampling'> | keyof Sampling, string>> =
    {
      model: 'model',
      system: 'system prompt',
      tools: 'tool left out',
      messages: 'words of a message',
      maxTokens: 'limit',
      toolChoice: 'tool choice',
      temperature: 'temperature',
      topP: 'top p',
      seed: 'seed',
      stopSequences: 'stop sequences',
      thinking: 'thinking',
    };
  /**
   * Ollama does not support a tool choice; the Messages API supports no seed and no top p beside a temperature, and
   * without a system prompt its mark moves to the tools.
   */
  const exempt = new Set([
    'ollama tool choice',
    'anthropic top p',
    'anthropic seed',
    'anthropic no system prompt',
  ]);
  const cases = dialects.flatMap(([name, dialect]) =>
    changes
      .filter(([parameter]) => !exempt.has(`${name} ${parameter}`))
      .map(([parameter, segment, change]) => [name, parameter, segment, change, dialect] as const),
  );

  test.each(cases)('%s: %s', (_, parameter, segment, change, dialect) => {
    const prefix = frozenPrefix(dialect, parent);
    const fork = frozenPrefix(dialect, { ...parent, ...change });
    expect(fork.divergence(prefix)).toEqual([segment]);
    expect(differing(fork, prefix)).toEqual([segment]);
    expect(fork.bytes.startsWith(prefix.bytes), parameter).toBe(false);
  });

  test('every parameter there is has been changed', () => {
    const changed = changes.map(([parameter]) => parameter);
    expect(changed).toEqual(expect.arrayContaining(Object.values(covered)));
  });

  test('what a dialect does not send cannot cost the cache', () => {
    const prefix = frozenPrefix(anthropicDialect, parent);
    const fork = frozenPrefix(anthropicDialect, { ...parent, sampling: { ...sampling, seed: 7 } });
    expect([fork.divergence(prefix), fork.bytes]).toEqual([[], prefix.bytes]);
  });
});

function differing(one: FrozenPrefix, other: FrozenPrefix): readonly string[] {
  return Object.entries(one.hashes).flatMap(([segment, hash]) =>
    Object.entries(other.hashes).some(([name, value]) => name === segment && value === hash) ? [] : [segment],
  );
}

test('a frozen prefix keeps its words when the request it was made from is altered', () => {
  const words = [{ kind: 'text' as const, text: 'before' }];
  const prefix = frozenPrefix(anthropicDialect, {
    model: 'm',
    system: '',
    tools: [],
    messages: [{ role: 'user', content: words }],
    sampling: { thinking: 'off' },
    maxTokens: 1,
  });
  words.push({ kind: 'text', text: 'after' });
  expect(prefix.bytes).not.toContain('after');
  expect(prefix.request.messages).toEqual([userText('before')]);
  expect(() => Object.assign(prefix.request.messages[0] ?? {}, { role: 'assistant' })).toThrow(TypeError);
});
