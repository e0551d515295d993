import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { McpHttp } from './http.ts';
import { ConnectionLogSink } from './log-sink.ts';

let released: number;
let mcp: McpHttp;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  released = 0;
  mcp = new McpHttp({
    connect: () => ({
      version: '0',
      log: silentLog,
      logSink: new ConnectionLogSink('info', () => {}),
      load: () => Promise.reject(new Error('nothing is loaded here')),
      release: () => {
        released += 1;
      },
      skills: async () => [],
    }),
    log: silentLog,
    maxBodyBytes: 10_000,
    maxConnections: 2,
    idleMs: 60_000,
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

test('every greeting begins a connection of its own, up to the limit', async () => {
  const [one, other] = [await greet(), await greet()];
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.id).not.toBe(other.id);
  expect(await greet()).toEqual({ status: 503, id: null });
});

test('a connection left unused makes room for a new one, and what it was given is released', async () => {
  await greet();
  await greet();
  vi.setSystemTime(Date.now() + 60_001);
  expect((await greet()).status).toBe(200);
  expect([mcp.connections, released]).toEqual([1, 2]);
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
