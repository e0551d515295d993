import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader } from './rpc.ts';

interface Reading {
  readonly messages: readonly unknown[];
  readonly error: Error | undefined;
}

function read(chunks: readonly Uint8Array[]): Promise<Reading> {
  return new Promise((resolve) => {
    const messages: unknown[] = [];
    const reader = new FrameReader(Readable.from(chunks, { objectMode: true }));
    reader.onError((error) => resolve({ messages, error }));
    reader.onClose(() => resolve({ messages, error: undefined }));
    reader.listen((message) => messages.push(message));
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
