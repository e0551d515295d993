/** Every dialect against a server that speaks it, through whole answers and every way they fail. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/model/message.ts';
import type { ModelEvent } from '../../src/model/model-event.ts';
import { ModelFailure } from '../../src/model/model-failure.ts';
import { askModel, collectReply } from '../../src/model/reply.ts';
import { type ScriptedAnswer, ScriptedProvider } from '../support/scripted-provider.ts';
import {
  dialectProviders,
  impatientRetries,
  scriptedClient,
  scriptedKey,
  scriptedRequest,
} from '../support/scripted-provider-client.ts';

const calm = new AbortController().signal;

async function failureOf(work: Promise<unknown>): Promise<ModelFailure> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof ModelFailure) return thrown;
  throw new Error('a model failure was expected', { cause: thrown });
}

describe.each(dialectProviders)('%s', (name) => {
  async function ask(...answers: readonly ScriptedAnswer[]) {
    await using provider = await ScriptedProvider.open();
    provider.answer(...answers);
    const received: ModelEvent[] = [];
    const waits: number[] = [];
    const client = scriptedClient(provider, name, impatientRetries(waits));
    const asked = collectReply(client.stream(scriptedRequest(), calm), (event) => received.push(event));
    const outcome = await asked.then(
      (reply) => ({ reply, failure: undefined }),
      (failure: unknown) => ({ reply: undefined, failure }),
    );
    return { ...outcome, received, waits, requests: provider.requests };
  }

  test('text arrives as it is said and adds up to the message', async () => {
    const text = 'It exports “add”, 加法 and\n\ttwo more 🙂.';
    const { reply, received } = await ask([{ text }]);
    expect(reply).toMatchObject({
      kind: 'complete',
      message: { role: 'assistant', content: [{ kind: 'text', text }] },
      stop: 'end',
    });
    expect(received.filter(({ kind }) => kind === 'text-delta').length).toBeGreaterThan(5);
    expect(received.at(-1)?.kind === 'stop' || received.at(-1)?.kind === 'usage').toBe(true);
  });

  test('several calls keep their names, arguments and places among the text', async () => {
    const { reply } = await ask([
      { text: 'Looking.' },
      { call: 'Read', arguments: { path: 'a b/ü.ts', lines: [1, 2] } },
      { call: 'Read', arguments: {} },
    ]);
    expect(reply).toMatchObject({
      kind: 'complete',
      stop: 'tool-calls',
      message: {
        content: [
          { kind: 'text', text: 'Looking.' },
          {
            kind: 'tool-call',
            name: 'Read',
            input: { kind: 'object', value: { path: 'a b/ü.ts', lines: [1, 2] } },
          },
          { kind: 'tool-call', name: 'Read', input: { kind: 'object', value: {} } },
        ],
      },
    });
    const ids = reply?.message.content.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  test('arguments that are not JSON are kept as they were written', async () => {
    const { reply } = await ask([{ call: 'Read', arguments: '{"path": "a.ts"' }]);
    expect(reply?.message.content).toMatchObject([
      { kind: 'tool-call', input: { kind: 'malformed', text: '{"path": "a.ts"' } },
    ]);
  });

  test('thinking is kept apart from what is said', async () => {
    const { reply } = await ask([{ thinking: 'Let me see.' }, { text: 'Seen.' }]);
    expect(reply?.message.content).toMatchObject([
      { kind: 'thinking', text: 'Let me see.' },
      { kind: 'text', text: 'Seen.' },
    ]);
  });

  test('a call written into the text stays text', async () => {
    const text = '<tool_call>{"name":"Read","arguments":{"path":"a.ts"}}</tool_call>';
    const { reply } = await ask([{ text }]);
    expect(reply).toMatchObject({ stop: 'end', message: { content: [{ kind: 'text', text }] } });
  });

  test('an answer that ran out of room says so', async () => {
    const { reply } = await ask([{ text: 'It goes on' }, { stop: 'max-tokens' }]);
    expect(reply).toMatchObject({ kind: 'complete', stop: 'max-tokens' });
  });

  test('tokens are counted', async () => {
    const { reply, requests } = await ask([{ text: 'one two three' }]);
    expect(reply?.usage.input).toBe(requests[0]?.promptTokens);
    expect(reply?.usage.output).toBeGreaterThan(0);
  });

  describe('what fails is named', () => {
    const refusals: readonly (readonly [string, number, object, string])[] = [
      [
        'a bad key',
        401,
        { error: { type: 'authentication_error', message: `no: ${scriptedKey}` } },
        'model/bad-key',
      ],
      [
        'an unknown model',
        404,
        { error: 'model "x" not found, try pulling it first' },
        'model/unknown-model',
      ],
      [
        'a conversation too long for the service',
        400,
        {
          error: {
            type: 'invalid_request_error',
            message: 'prompt is too long: 210000 tokens > 200000 maximum',
          },
        },
        'model/context-too-long',
      ],
      [
        'a conversation too long for a local server',
        500,
        { error: { code: 400, type: 'exceed_context_size_error', message: 'too big', n_ctx: 256 } },
        'model/context-too-long',
      ],
      [
        'one told of in a text in a text',
        400,
        {
          error: '{"error":{"code":400,"message":"request (351 tokens) exceeds the available context size"}}',
        },
        'model/context-too-long',
      ],
      [
        'an empty account',
        429,
        { error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'pay' } },
        'model/no-credit',
      ],
      ['a model without tools', 400, { error: '"x" does not support tools' }, 'model/tools-unsupported'],
      [
        'a parameter that is refused',
        400,
        { error: { type: 'invalid_request_error', message: 'temperature: no' } },
        'model/request-refused',
      ],
    ];
    test.each(refusals)('%s', async (_, status, body, code) => {
      const { failure, requests } = await ask({ status, body: JSON.stringify(body) });
      expect(failure).toMatchObject({ code });
      expect(requests).toHaveLength(1);
      expect(String(failure)).not.toContain(scriptedKey);
    });

    test('an address where nobody listens', async () => {
      const provider = await ScriptedProvider.open();
      const { url } = provider;
      await provider[Symbol.asyncDispose]();
      const failure = await failureOf(
        collectReply(scriptedClient({ url }, name).stream(scriptedRequest(), calm)),
      );
      expect(failure.code).toBe('model/unreachable');
      expect(failure.message).toContain('ECONNREFUSED');
    });

    test('a redirect, which is not followed', async () => {
      const { failure, requests } = await ask({
        status: 307,
        headers: { location: 'http://127.0.0.1:9/' },
        body: '',
      });
      expect(failure).toMatchObject({ code: 'model/request-refused' });
      expect(requests).toHaveLength(1);
    });

    test('bytes that are no stream', async () => {
      const { failure } = await ask([{ raw: `data: {"oops ${scriptedKey}\n\n{"oops\n\n` }]);
      expect(failure).toMatchObject({ code: 'model/malformed-stream' });
      expect(String(failure)).not.toContain(scriptedKey);
    });

    test('a page instead of a stream', async () => {
      const { failure } = await ask({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html>Hi',
      });
      expect(failure).toMatchObject({ code: 'model/malformed-stream' });
    });

    test('an error told in the middle of an answer', async () => {
      const error = { type: 'overloaded_error', message: 'Overloaded' };
      const { reply } = await ask([{ text: 'So far' }, { error }]);
      expect(reply).toMatchObject({ kind: 'cut', message: { content: [{ kind: 'text', text: 'So far' }] } });
      expect(reply?.kind === 'cut' && reply.failure.message).toContain('Overloaded');
    });
  });

  describe('a request is sent again', () => {
    const fleeting: readonly (readonly [string, ScriptedAnswer])[] = [
      ['after 429', { status: 429, body: { error: { type: 'rate_limit_error', message: 'slow down' } } }],
      ['after 500', { status: 500, body: { error: { type: 'api_error', message: 'oh' } } }],
      ['after 503', { status: 503, body: { error: { message: 'Loading model' } } }],
      ['after 529', { status: 529, body: { error: { type: 'overloaded_error', message: 'busy' } } }],
      [
        'when an error comes with a good status',
        { status: 200, body: { error: { type: 'overloaded_error', message: 'busy' } } },
      ],
      ['when the connection breaks before a word', 'hang-up'],
      ['when the answer breaks off before a word', [{ cut: true }]],
      ['when an error comes before a word', [{ error: { type: 'overloaded_error', message: 'busy' } }]],
    ];
    test.each(fleeting)('%s', async (_, first) => {
      const { reply, received, requests, waits } = await ask(first, first, [{ text: 'Here.' }]);
      expect(reply).toMatchObject({ kind: 'complete', message: { content: [{ text: 'Here.' }] } });
      expect(received.filter(({ kind }) => kind === 'retry')).toHaveLength(2);
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
      expect(waits).toHaveLength(2);
    });

    test('not before the time the provider named', async () => {
      const { waits } = await ask({ status: 429, headers: { 'retry-after': '7' }, body: {} }, [
        { text: 'Ok.' },
      ]);
      expect(waits[0]).toBeGreaterThanOrEqual(7000);
    });

    test('not at all when that time is far away', async () => {
      const { failure, waits } = await ask({ status: 429, headers: { 'retry-after': '3600' }, body: {} });
      expect(failure).toMatchObject({ code: 'model/overloaded', remedy: 'Try again in 3600 seconds.' });
      expect(waits).toEqual([]);
    });

    test('four times at most', async () => {
      const busy: ScriptedAnswer = { status: 529, body: {} };
      const { failure, requests } = await ask(busy, busy, busy, busy, busy);
      expect(failure).toMatchObject({ code: 'model/overloaded' });
      expect(requests).toHaveLength(4);
    });
  });

  test('an answer that breaks off is reported with what had arrived, and no call that was not finished', async () => {
    const { reply, requests } = await ask([{ text: 'First' }, { raw: unfinishedCall[name] }, { cut: true }]);
    expect(reply).toMatchObject({ kind: 'cut', failure: { code: 'model/stream-cut' } });
    expect(reply?.message.content).toEqual([{ kind: 'text', text: 'First' }]);
    expect(requests).toHaveLength(1);
  });

  test('an answer that ends without its end is not taken for a short one', async () => {
    const { reply } = await ask([{ text: 'Half' }, { raw: '' }, { until: Promise.resolve() }, { cut: true }]);
    expect(reply?.kind).toBe('cut');
  });

  test('who asks for a whole reply gets a broken one asked for once more', async () => {
    await using provider = await ScriptedProvider.open();
    provider.answer([{ text: 'Half' }, { cut: true }], [{ text: 'Whole' }]);
    const received: string[] = [];
    const reply = await askModel(
      scriptedClient(provider, name),
      { request: scriptedRequest(), listener: ({ kind }) => received.push(kind) },
      calm,
    );
    expect([reply.kind, textOf(reply.message)]).toEqual(['complete', 'Whole']);
    expect(received.filter((kind) => kind === 'restart')).toHaveLength(1);
  });

  test('aborting closes the connection at once and is not a failure of the model', async () => {
    await using provider = await ScriptedProvider.open();
    provider.answer([{ text: 'One ' }, { until: new Promise(() => {}) }, { text: 'never' }]);
    const controller = new AbortController();
    const reason = new Error('the user typed');
    const asked = collectReply(
      scriptedClient(provider, name).stream(scriptedRequest(), controller.signal),
      (event) => {
        if (event.kind === 'text-delta') controller.abort(reason);
      },
    );
    await expect(asked).rejects.toBe(reason);
    await expect(provider.requests[0]?.over).resolves.toBe('left');
  });

  test('aborting while nothing has been answered closes the connection too', async () => {
    await using provider = await ScriptedProvider.open();
    const controller = new AbortController();
    provider.script(() => {
      queueMicrotask(() => controller.abort(new Error('changed my mind')));
      return [{ until: new Promise(() => {}) }];
    });
    const asked = collectReply(scriptedClient(provider, name).stream(scriptedRequest(), controller.signal));
    await expect(asked).rejects.toThrow('changed my mind');
    await expect(provider.requests[0]?.over).resolves.toBe('left');
  });

  test('leaving the loop closes the connection', async () => {
    await using provider = await ScriptedProvider.open();
    provider.answer([{ text: 'One ' }, { until: new Promise(() => {}) }]);
    for await (const event of scriptedClient(provider, name).stream(scriptedRequest(), calm)) {
      if (event.kind === 'text-delta') break;
    }
    await expect(provider.requests[0]?.over).resolves.toBe('left');
  });

  test('an answer leaves no listener with the signal it was asked for under', async () => {
    await using provider = await ScriptedProvider.open();
    const { signal } = new AbortController();
    const client = scriptedClient(provider, name);
    for (let turn = 0; turn < 3; turn += 1) await collectReply(client.stream(scriptedRequest(), signal));
    for await (const event of client.stream(scriptedRequest(), signal))
      if (event.kind === 'text-delta') break;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('connections are used again', async () => {
    await using provider = await ScriptedProvider.open();
    const client = scriptedClient(provider, name);
    for (let turn = 0; turn < 6; turn += 1) await collectReply(client.stream(scriptedRequest(), calm));
    // A second one is opened while the first is still being put away.
    expect(new Set(provider.requests.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });

  test('an answer that is complete is read to its end, so that its connection can be kept', async () => {
    await using provider = await ScriptedProvider.open();
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.answer([{ text: 'Done.' }, { raw: lastWords[name] }, { until }]);
    const reply = await collectReply(
      scriptedClient(provider, name).stream(scriptedRequest(), calm),
      (event) => {
        if (event.kind === 'stop') release();
      },
    );
    expect(reply.kind).toBe('complete');
    await expect(provider.requests[0]?.over).resolves.toBe('complete');
  });

  test('tokens are heard while the rest is still to come', async () => {
    await using provider = await ScriptedProvider.open();
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.answer([{ text: 'early' }, { until }, { text: ' late' }]);
    const reply = await collectReply(
      scriptedClient(provider, name).stream(scriptedRequest(), calm),
      (event) => {
        // Only hearing the first word lets the second one be said.
        if (event.kind === 'text-delta') release();
      },
    );
    expect(reply.message.content).toEqual([{ kind: 'text', text: 'early late' }]);
  });
});

/** A call that begins and is never ended, as each dialect writes it. */
const unfinishedCall = {
  anthropic:
    'data: {"type":"content_block_start","index":7,"content_block":{"type":"tool_use","id":"t","name":"Read"}}\n\n',
  openai:
    'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"Read","arguments":"{\\"pa"}}]}}]}\n\n',
  ollama: '{"message":{"tool_calls":[{"function":{"name":"Re',
};

/** What makes an answer complete. */
const lastWords = {
  anthropic: 'data: {"type":"message_stop"}\n\n',
  openai: 'data: [DONE]\n\n',
  ollama: '{"done":true,"done_reason":"stop"}\n',
};
