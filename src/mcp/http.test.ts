import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { McpHttp } from './http.ts';
import { ConnectionLogSink } from './log-sink.ts';

let released: number;
let mcp: McpHttp;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  released = 0;
  mcp = new McpHttp({
    connect: () => ({
      version: '0',
      log: silentLog,
      logSink: new ConnectionLogSink('info', () => {}),
      connection: {
        get: () => Promise.reject(new Error('nothing is loaded here')),
        [Symbol.asyncDispose]: async () => {
          released += 1;
        },
      },
      skills: async () => [],
    }),
    log: silentLog,
    maxBodyBytes: 10_000,
    limits: { maxConnections: 2, idleMs: 60_000, pingMs: 10_000 },
  });
});

afterEach(async () => {
  await mcp[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

async function greet(body: unknown = greeting): Promise<{ status: number; id: string | null }> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const request = new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await mcp.handle(request);
  await response.text();
  return { status: response.status, id: response.headers.get('mcp-session-id') };
}

/** Opens the event stream of a connection. */
function listen(id: string | null): Promise<Response> {
  const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': id ?? '' };
  return mcp.handle(new Request('http://localhost/', { headers }));
}

/** A request of the client that changes nothing. */
async function speak(id: string | null): Promise<number> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Mcp-Session-Id': id ?? '',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const response = await mcp.handle(new Request('http://localhost/', { method: 'POST', headers, body }));
  await response.text();
  return response.status;
}

test('every greeting begins a connection of its own', async () => {
  const [one, other] = [await greet(), await greet()];
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.id).not.toBe(other.id);
});

test('at the limit a new client takes the place of the connection that was silent longest', async () => {
  const one = await greet();
  vi.setSystemTime(Date.now() + 10);
  const other = await greet();
  vi.setSystemTime(Date.now() + 10);
  expect(await speak(one.id)).toBe(200);
  vi.setSystemTime(Date.now() + 10);
  expect((await greet()).status).toBe(200);
  expect([await speak(one.id), await speak(other.id), mcp.connections, released]).toEqual([200, 404, 2, 1]);
});

test('simultaneous clients do not exceed the limit', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => greet()));
  expect(mcp.connections).toBe(2);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
});

test('at the limit, clients with a live stream stay and a new one is told to wait', async () => {
  for (const { id } of [await greet(), await greet()]) expect((await listen(id)).status).toBe(200);
  expect(await greet()).toEqual({ status: 503, id: null });
});

test('a stream whose client answers no ping does not keep its place', async () => {
  const [gone, alive] = [await greet(), await greet()];
  for (const { id } of [gone, alive]) await listen(id);
  for (let minute = 0; minute < 3; minute++) {
    vi.advanceTimersByTime(10_000);
    expect(await speak(alive.id)).toBe(200);
  }
  expect((await greet()).status).toBe(200);
  expect([await speak(gone.id), await speak(alive.id)]).toEqual([404, 200]);
});

test('a silent client with a stream is pinged, one that speaks is not', async () => {
  const { id } = await greet();
  const reader = (await listen(id)).body?.getReader();
  vi.advanceTimersByTime(9_000);
  await speak(id);
  vi.advanceTimersByTime(9_000);
  await speak(id);
  vi.advanceTimersByTime(12_000);
  let received = '';
  while (!received.includes('"method"')) {
    const { value } = (await reader?.read()) ?? {};
    received += new TextDecoder().decode(value);
  }
  expect(received.match(/"method":"ping"/g)).toHaveLength(1);
});

test('a connection left unused is closed in time, and what it was given is released', async () => {
  const [left, used] = [await greet(), await greet()];
  vi.advanceTimersByTime(50_000);
  expect(await speak(used.id)).toBe(200);
  vi.advanceTimersByTime(10_000);
  expect([mcp.connections, released]).toEqual([1, 1]);
  expect([await speak(left.id), await speak(used.id)]).toEqual([404, 200]);
});

test.each<[string, unknown, number]>([
  ['something else than a greeting', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 400],
  ['a greeting among other messages', [greeting, greeting], 400],
  ['more than may be sent', { ...greeting, filler: 'x'.repeat(10_000) }, 413],
])('%s begins nothing', async (_what, body, status) => {
  expect((await greet(body)).status).toBe(status);
  expect(mcp.connections).toBe(0);
});

test('ending closes every connection', async () => {
  await greet();
  await mcp[Symbol.asyncDispose]();
  expect([mcp.connections, released]).toEqual([0, 1]);
});
