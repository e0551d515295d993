import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { greetingIn } from './handshake.ts';
import { ConnectionLogSink } from './log-sink.ts';
import { serveStreams } from './stdio-server.ts';

const initialize = (params: object, rest: object = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
      ...params,
    },
    ...rest,
  });

/** The responses of the protocol library to lines. */
async function libraryAnswers(lines: readonly string[], answered?: string | number): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const options = {
    version: '1.2.3',
    log: silentLog,
    logSink: new ConnectionLogSink('error', () => {}),
    connection: { get: () => new Promise<never>(() => {}), [Symbol.asyncDispose]: async () => {} },
    skills: async () => [],
  };
  const handle = serveStreams(options, { input, output, maxBufferSize: 1 << 20, answered });
  input.write(lines.map((line) => `${line}\n`).join(''));
  const [chunk]: unknown[] = await once(output, 'data');
  await handle.close();
  return String(chunk);
}

describe('what is answered before the library is loaded is what the library answers', () => {
  test.each([
    ['2024-11-05', initialize({ protocolVersion: '2024-11-05' })],
    ['2025-03-26', initialize({ protocolVersion: '2025-03-26' })],
    ['2025-06-18', initialize({})],
    ['2025-11-25', initialize({ protocolVersion: '2025-11-25' })],
    ['an id that is a text', initialize({}, { id: 'first' })],
    ['the id 0', initialize({}, { id: 0 })],
    [
      'what clients offer',
      initialize({ capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } }),
    ],
    ['a client with a title', initialize({ clientInfo: { name: 'a', title: 'A', version: '1' } })],
  ])('%s', async (_case, line) => {
    const greeting = greetingIn(line, '1.2.3');
    expect(greeting?.answer).toBe(await libraryAnswers([line]));
  });
});

test.each([
  ['no JSON', '{"jsonrpc":'],
  ['a list', '[]'],
  ['another request', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['a notification', initialize({}, { id: undefined })],
  ['an id that is no whole number', initialize({}, { id: 1.5 })],
  ['a revision that is not known', initialize({ protocolVersion: '2099-01-01' })],
  ['no revision', initialize({ protocolVersion: undefined })],
  ['a revision without a handshake', initialize({ protocolVersion: '2026-07-28' })],
  ['an envelope', initialize({ _meta: {} })],
  ['an offer that is not known', initialize({ capabilities: { tools: true } })],
  ['an offer of another shape', initialize({ capabilities: { roots: { listChanged: 'yes' } } })],
  ['no client', initialize({ clientInfo: undefined })],
  ['a client without a version', initialize({ clientInfo: { name: 'a' } })],
])('%s is left to the library', (_case, line) => {
  expect(greetingIn(line, '1.2.3')).toBeUndefined();
});

test('a request that was answered is not answered again, and the next one is', async () => {
  const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
  expect(JSON.parse(await libraryAnswers([initialize({}), ping], 1))).toEqual({
    jsonrpc: '2.0',
    id: 2,
    result: {},
  });
});
