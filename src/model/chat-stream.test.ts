import { expect, test } from 'vitest';
import { ChatStream } from './chat-stream.ts';
import { collectReply } from './reply.ts';

/** Deltas as a server sends them, and the resulting reply. */
async function received(deltas: readonly object[], finish: string | null = 'tool_calls') {
  const stream = new ChatStream();
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ delta }] })),
    { choices: [{ delta: {}, finish_reason: finish }] },
  ];
  async function* events() {
    for (const chunk of chunks) yield* stream.read(JSON.stringify(chunk));
    yield* stream.read('[DONE]');
    yield* stream.end();
  }
  const reply = await collectReply(events());
  return { stop: reply.kind === 'complete' ? reply.stop : 'cut', content: reply.message.content };
}

const read = { kind: 'tool-call', name: 'Read', input: { kind: 'object', value: { path: 'a' } } };
const write = { kind: 'tool-call', name: 'Write', input: { kind: 'object', value: {} } };

const loose: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  [
    'ids missing',
    [{ tool_calls: [{ index: 0, function: { name: 'Read', arguments: '{"path":"a"}' } }] }],
    [{ ...read, id: expect.stringMatching(/^call_/) }],
  ],
  [
    'indexes missing',
    [
      { tool_calls: [{ id: '1', function: { name: 'Read', arguments: '{"path"' } }] },
      { tool_calls: [{ function: { arguments: ':"a"}' } }] },
      { tool_calls: [{ id: '2', function: { name: 'Write', arguments: '{}' } }] },
    ],
    [read, write],
  ],
  [
    'name and id repeated with every fragment',
    [
      { tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: '{"path"' } }] },
      { tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: ':"a"}' } }] },
    ],
    [read],
  ],
  [
    'names empty after the first fragment',
    [
      { tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: '' } }] },
      { tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{"path":"a"}' } }] },
    ],
    [read],
  ],
  [
    'arguments before the name',
    [
      { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
      { tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: '"a"}' } }] },
    ],
    [read],
  ],
  [
    'arguments as an object',
    [{ tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: { path: 'a' } } }] }],
    [read],
  ],
  [
    'calls interleaved',
    [
      { tool_calls: [{ index: 0, id: '1', function: { name: 'Read', arguments: '{"path":' } }] },
      { tool_calls: [{ index: 1, id: '2', function: { name: 'Write', arguments: '{' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '}' } }] },
    ],
    [read, write],
  ],
  [
    'content null and reasoning by its other name',
    [
      { content: null, reasoning: 'hm' },
      { content: 'So.', tool_calls: null },
    ],
    [
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'So.' },
    ],
  ],
];

test.each(loose)('understands %s', async (_, deltas, content) => {
  expect((await received(deltas)).content).toMatchObject(content);
});

test('a stop after calls means the calls', async () => {
  const deltas = [{ tool_calls: [{ index: 0, id: '1', function: { name: 'Write', arguments: '' } }] }];
  expect(await received(deltas, 'stop')).toMatchObject({ stop: 'tool-calls', content: [write] });
});

test('a proper end without a reason ends the answer, if anything was said', async () => {
  expect(await received([{ content: 'Hi' }], null)).toMatchObject({ stop: 'end' });
});

test('calls that are announced but never made are no calls', async () => {
  expect(await received([{ content: 'Hi' }])).toMatchObject({ stop: 'end' });
});

test('a conversation cut in the middle of the arguments by the limit leaves them malformed', async () => {
  const deltas = [{ tool_calls: [{ index: 0, id: '1', function: { name: 'Write', arguments: '{"te' } }] }];
  expect(await received(deltas, 'length')).toMatchObject({
    stop: 'max-tokens',
    content: [{ input: { kind: 'malformed', text: '{"te' } }],
  });
});
