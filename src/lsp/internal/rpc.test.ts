import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { ResponseFailed } from '../server-failure.ts';
import { Rpc, type RpcHandlers, readFrames, type WireMessage } from './rpc.ts';

interface Reading {
  readonly messages: readonly unknown[];
  readonly error: Error | undefined;
}

function read(chunks: readonly Uint8Array[]): Promise<Reading> {
  return new Promise((resolve) => {
    const messages: unknown[] = [];
    readFrames(Readable.from(chunks, { objectMode: true }), {
      received: (message) => messages.push(message),
      ended: (error) => resolve({ messages, error }),
    });
  });
}

const frame = (value: unknown, header = 'Content-Length'): Buffer => {
  const body = JSON.stringify(value);
  return Buffer.from(`${header}: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};

test('messages survive being cut anywhere', async () => {
  const message = fc.record({ method: fc.string({ unit: 'grapheme' }), params: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      async (messages, sizes) => {
        const bytes = Buffer.concat(messages.map((value) => frame(value)));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += chunks.at(-1)?.length ?? 0) {
          chunks.push(bytes.subarray(at, at + sizes.next().value));
        }
        const expected = messages.map((value) => JSON.parse(JSON.stringify(value)));
        expect(await read(chunks)).toEqual({ messages: expected, error: undefined });
      },
    ),
  );
});

test('the case of the header does not matter, nor do other fields', async () => {
  const typed = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH';
  const { messages } = await read([frame({ id: 1 }, 'content-length'), frame({ id: 2 }, typed)]);
  expect(messages).toEqual([{ id: 1 }, { id: 2 }]);
});

test.each([
  ['plain text', 'Hello, world'],
  ['a start that goes astray', 'Contempt: 12\r\n\r\n'],
  ['a header without a length', 'Content-Type: text/plain\r\n\r\n{}'],
  ['a length that is no number', 'Content-Length: many\r\n\r\n{}'],
  ['a length beyond reason', `Content-Length: ${'9'.repeat(12)}\r\n\r\n{}`],
  ['a header that never ends', `Content-${'x'.repeat(5000)}`],
  ['a body that is not JSON', 'Content-Length: 5\r\n\r\n{"a":'],
  ['a body that is not an object', 'Content-Length: 4\r\n\r\nnull'],
  ['a message followed by text', `${frame({ id: 1 })}oops`],
])('what is not the protocol is said so at once: %s', async (_, text) => {
  const { error } = await read([Buffer.from(text)]);
  expect(error).toMatchObject({ code: 'lsp/protocol-garbage' });
});

describe('a connection', () => {
  const never = new AbortController().signal;

  function connect(handlers: Partial<RpcHandlers> = {}) {
    const [toUs, fromUs] = [new PassThrough(), new PassThrough()];
    const sent: WireMessage[] = [];
    readFrames(fromUs, { received: (message) => sent.push(message), ended: () => {} });
    const rpc = new Rpc(
      { readable: toUs, writable: fromUs },
      { request: () => null, notification: () => {}, ...handlers },
      silentLog,
    );
    const receive = (...messages: readonly unknown[]): boolean =>
      toUs.write(Buffer.concat(messages.map((message) => frame(message))));
    return { rpc, sent, receive, toUs };
  }

  const ask = (rpc: Rpc, method: string, signal = never, timeoutMs?: number) =>
    rpc.request(method, {}, { stale: 'retry', ...(timeoutMs !== undefined && { timeoutMs }) }, signal);

  test('gives each request its own response, in whatever order they come', async () => {
    const { rpc, receive } = connect();
    const answers = Promise.all([ask(rpc, 'a'), ask(rpc, 'b')]);
    receive({ id: 2, result: 'of b' }, { id: 7, result: 'of none' }, { id: '1', result: 'of a' });
    expect(await answers).toEqual(['of a', 'of b']);
  });

  test('handles what follows a message after its receiver has done what it does about it', async () => {
    const events: string[] = [];
    const { rpc, receive } = connect({ notification: (method) => events.push(`receive ${method}`) });
    const asked = ask(rpc, 'a').then(() => events.push('got a'));
    receive({ id: 1, result: 1 }, { method: 'first' }, { method: 'second' });
    await asked;
    expect(events).toEqual(['got a']);
    await expect.poll(() => events).toEqual(['got a', 'receive first', 'receive second']);
  });

  test('cancels a request whose caller gives up or whose time is up', async () => {
    const { rpc, sent } = connect();
    const caller = new AbortController();
    const given = ask(rpc, 'a', caller.signal);
    caller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await expect(ask(rpc, 'b', never, 1)).rejects.toMatchObject({ code: 'lsp/request-timeout' });
    await expect
      .poll(() => sent.map(({ method, params }) => [method, params]))
      .toEqual([
        ['a', {}],
        ['$/cancelRequest', { id: 1 }],
        ['b', {}],
        ['$/cancelRequest', { id: 2 }],
      ]);
  });

  test('asks again if the server says that its state has changed, and reports other errors', async () => {
    const { rpc, sent, receive } = connect();
    const answer = ask(rpc, 'a');
    receive({ id: 1, error: { code: -32802, message: 'not now' } });
    await expect.poll(() => sent.length).toBe(2);
    receive({ id: 2, result: 'now' });
    expect(await answer).toBe('now');
    const failed = ask(rpc, 'b');
    receive({ id: 3, error: { code: -32601, message: 'no such method' } });
    await expect(failed).rejects.toMatchObject({ number: -32601, sentence: 'no such method' });
  });

  test('answers requests of the other side, and aborts one that it cancels', async () => {
    const reasons: unknown[] = [];
    const { sent, receive } = connect({
      request: (method, params, signal) => {
        if (method === 'echo') return params;
        if (method === 'none') throw new ResponseFailed({ code: -32601, message: 'none' });
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        });
      },
    });
    receive({ id: 'x', method: 'echo', params: [1] }, { id: 2, method: 'none' }, { id: 3, method: 'wait' });
    receive({ method: '$/cancelRequest', params: { id: 3 } });
    await expect
      .poll(() => sent)
      .toEqual([
        { jsonrpc: '2.0', id: 'x', result: [1] },
        { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'none' } },
        { jsonrpc: '2.0', id: 3, error: { code: -32800, message: 'the request was cancelled' } },
      ]);
    expect(reasons).toHaveLength(1);
  });

  test('fails every request with the failure it is closed with, also after the stream has ended', async () => {
    const { rpc, toUs } = connect();
    const before = ask(rpc, 'a');
    toUs.end();
    await rpc.ended;
    const after = ask(rpc, 'b');
    const failure = new ResponseFailed({ code: 1, message: 'gone' });
    rpc.close(failure);
    await expect(before).rejects.toBe(failure);
    await expect(after).rejects.toBe(failure);
    await expect(ask(rpc, 'c')).rejects.toBe(failure);
    expect(() => rpc.notify('d', {})).toThrow(failure);
  });
});
