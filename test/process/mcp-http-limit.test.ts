/** The limit of connections over real HTTP: abandoned ones make room, active ones stay. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect as dial, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../src/base/log.ts';
import { HttpListener } from '../../src/http/http-listener.ts';
import { HttpDoor, secret } from '../support/http-door.ts';
import { until } from '../support/until.ts';

const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${secret}`,
};

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};

/** Connects and is never heard from again; answers its status and id. */
async function abandon(door: HttpDoor): Promise<{ readonly status: number; readonly id: string }> {
  const answer = await door.fetch('/', { method: 'POST', headers, body: JSON.stringify(greeting) });
  await answer.text();
  return { status: answer.status, id: answer.headers.get('mcp-session-id') ?? '' };
}

test('a new client gets in past abandoned connections, and an active one stays', async () => {
  await using door = await HttpDoor.open({
    connectionLimits: { maxConnections: 8, idleMs: 3_600_000, pingMs: 3_600_000 },
  });
  const active = await door.client();
  await active.callTool({ name: 'list_sessions', arguments: {} });
  const statuses = await Promise.all(Array.from({ length: 40 }, () => abandon(door)));
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
  const late = await door.client();
  for (const client of [active, late]) {
    const answer = await client.callTool({ name: 'list_sessions', arguments: {} });
    expect(answer.isError).toBeFalsy();
  }
});

test('streams of clients that are gone without a word do not hold the places', async () => {
  await using door = await HttpDoor.open({
    connectionLimits: { maxConnections: 3, idleMs: 3_600_000, pingMs: 100 },
  });
  const active = await door.client();
  const { hostname, port } = new URL(door.url);
  const sockets = [];
  for (const { id } of [await abandon(door), await abandon(door)]) {
    // The socket stays open and is never read or written again, as after a pulled cable.
    const socket = dial(Number(port), hostname);
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${secret}\r\nMcp-Session-Id: ${id}\r\n\r\n`,
    );
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.pause();
    sockets.push(socket);
  }
  const late = await until(() => door.client());
  for (const client of [active, late]) {
    expect((await client.callTool({ name: 'list_sessions', arguments: {} })).isError).toBeFalsy();
  }
  for (const socket of sockets) socket.destroy();
});

test('a client that uses its connection is not closed for idleness, one that does not is', async () => {
  await using door = await HttpDoor.open({
    connectionLimits: { maxConnections: 8, idleMs: 2000, pingMs: 200 },
  });
  const listening = await door.client();
  const { id } = await abandon(door);
  const list = {
    method: 'POST',
    headers: { ...headers, 'Mcp-Session-Id': id },
    body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  };
  // Each failed attempt is a sign of life, so attempts come less often than the limit.
  const gone = new Promise<void>((resolve) => {
    const ask = setInterval(async () => {
      if ((await door.fetch('/', list)).status !== 404) return;
      clearInterval(ask);
      resolve();
    }, 2600);
  });
  await gone;
  // The official client keeps an event stream and answers pings; it stayed through all of that.
  expect((await listening.callTool({ name: 'list_sessions', arguments: {} })).isError).toBeFalsy();
});

test('a client that does not read its answer is cut off', async () => {
  const limits = { headersMs: 300, requestMs: 300, idleMs: 300 };
  // More than the buffers of the system take.
  const fetch = () => new Response(new Uint8Array(64 * 1024 * 1024));
  const ending = new AbortController();
  const options = { address: '127.0.0.1', port: 0, fetch, limits, log: silentLog };
  const listener = await HttpListener.start(options, ending.signal);
  const { hostname, port } = new URL(listener.url);
  const socket = dial(Number(port), hostname);
  socket.pause();
  const closed = serverSideOf(socket).then((theirs) => once(theirs, 'close'));
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await closed;
  socket.destroy();
  listener.close();
});

/** The server's end of a connection to this process, known once a request has arrived on it. */
function serverSideOf(client: Socket): Promise<Socket> {
  return new Promise((resolve) => {
    const receive = (event: unknown): void => {
      const { data } = z.object({ socket: z.instanceof(Socket) }).safeParse(event);
      if (data?.socket.remotePort !== client.localPort) return;
      unsubscribe('http.server.request.start', receive);
      if (data) resolve(data.socket);
    };
    subscribe('http.server.request.start', receive);
  });
}
