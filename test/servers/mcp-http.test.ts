/** Serving over HTTP: who gets in, who is cut off, and that connections know nothing of each other. */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, connect as dial } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bin, runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { HttpDoor, secret } from '../support/http-door.ts';
import { textOf } from '../support/tool-text.ts';

let door: HttpDoor;
let ts: Fixture;

beforeAll(async () => {
  [door, ts] = await Promise.all([HttpDoor.open(), openFixture('ts-two-modules')]);
});

afterAll(async () => {
  await door[Symbol.asyncDispose]();
  await ts[Symbol.asyncDispose]();
});

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};

const accepting = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const authorized = { ...accepting, Authorization: `Bearer ${secret}` };

/** A request with headers that `fetch` would not let a program choose. */
function raw(headers: Readonly<Record<string, string>>, path = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = path === '/' ? 'POST' : 'GET';
    const asked = request(
      new URL(path, door.url),
      { method, headers: { ...authorized, ...headers } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' ? JSON.stringify(greeting) : undefined);
  });
}

describe('the door', () => {
  test('says that it is well, to anybody', async () => {
    const answer = await fetch(new URL('/health', door.url));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  test.each<[string, Record<string, string>]>([
    ['no token', accepting],
    ['a wrong token', { ...accepting, Authorization: 'Bearer wrong' }],
    ['a token in another scheme', { ...accepting, Authorization: `Basic ${secret}` }],
  ])('refuses %s', async (_what, headers) => {
    const answer = await fetch(door.url, { method: 'POST', headers, body: JSON.stringify(greeting) });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({ error: 'unauthorized' });
  });

  test.each<[Record<string, string>, string, number]>([
    [{ Host: 'attacker.example' }, '/', 403],
    [{ Host: 'attacker.example' }, '/health', 403],
    [{ Origin: 'https://attacker.example' }, '/', 403],
    [{ Origin: 'null' }, '/', 403],
    [{ Host: 'localhost:1' }, '/', 200],
    [{ Origin: 'http://localhost:3000' }, '/', 200],
  ])('answers a request with %j to %s with %i', async (headers, path, status) => {
    expect(await raw(headers, path)).toBe(status);
  });

  test.each<[string, string, RequestInit]>([
    ['health', '/health', {}],
    ['an unknown path', '/nothing', {}],
    ['a refusal', '/', { method: 'POST', headers: accepting, body: '{}' }],
    ['a greeting', '/', { method: 'POST', headers: authorized, body: JSON.stringify(greeting) }],
  ])('answers %s with headers that let nothing be guessed or kept', async (_what, path, init) => {
    const answer = await door.fetch(path, init);
    await answer.body?.cancel();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each<[string, RequestInit, number]>([
    ['a path that is not there', {}, 404],
    ['what is not JSON', { method: 'POST', headers: authorized, body: '{' }, 400],
    [
      'a call before a greeting',
      { method: 'POST', headers: authorized, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
      400,
    ],
    [
      'an id nobody was given',
      { method: 'POST', headers: { ...authorized, 'Mcp-Session-Id': 'guess' }, body: '{}' },
      404,
    ],
    ['a stream without an id', { headers: authorized }, 400],
    [
      'a body that goes on without end',
      { method: 'POST', headers: authorized, body: endless(), duplex: 'half' },
      413,
    ],
    [
      'a body beyond four megabytes',
      { method: 'POST', headers: authorized, body: 'x'.repeat(4 * 1024 * 1024 + 1) },
      413,
    ],
  ])('answers %s by name', async (what, init, status) => {
    const answer = await door.fetch(what.startsWith('a path') ? '/nothing' : '/', init);
    expect(answer.status).toBe(status);
    await answer.body?.cancel();
  });
});

describe('a connection', () => {
  test('lists and calls tools as over any other door', async () => {
    const client = await door.client();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('preview_edit');
    const answer = await client.callTool({
      name: 'preview_edit',
      arguments: {
        file_path: ts.file('math.ts'),
        start_line: 1,
        start_column: 24,
        end_line: 1,
        end_column: 30,
        new_text: 'string',
        timeout_ms: 60_000,
      },
    });
    expect(textOf(answer)).toContain('"verdict":"broken"');
  });

  test('of a client that would rather speak a later revision falls back to a handshake', async () => {
    const client = await door.client({ versionNegotiation: { mode: 'auto' } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  test('answers two hundred calls made at once', async () => {
    const client = await door.client();
    const calls = Array.from({ length: 200 }, () =>
      client.callTool({ name: 'list_sessions', arguments: {} }),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.isError)).toEqual([]);
  });

  test('sees neither the sessions nor the unsaved text of another', async () => {
    const [one, other] = [await door.client(), await door.client()];
    const created = await one.callTool({
      name: 'create_simulation_session',
      arguments: { workspace_root: ts.root, language: 'typescript' },
    });
    const { session_id } = JSON.parse(textOf(created));
    const listed = await other.callTool({ name: 'list_sessions', arguments: {} });
    expect(textOf(listed)).not.toContain(session_id);
    const evaluated = await other.callTool({ name: 'evaluate_session', arguments: { session_id } });
    expect(evaluated.isError).toBe(true);
    const resumed = await other.callTool({ name: 'resume_session', arguments: { session_id } });
    expect(resumed.isError).toBe(true);
    const unsaved = { file_path: ts.file('app.ts'), text: 'const wrong: number = "text";\n' };
    await one.callTool({ name: 'open_document', arguments: unsaved });
    const ask = { name: 'get_diagnostics', arguments: { file_path: ts.file('app.ts') } };
    expect(Object.values(JSON.parse(textOf(await one.callTool(ask))))).toEqual([[expect.anything()]]);
    expect(Object.values(JSON.parse(textOf(await other.callTool(ask))))).toEqual([[]]);
  });

  test('ends when its client says so', async () => {
    const greeted = await door.fetch('/', {
      method: 'POST',
      headers: authorized,
      body: JSON.stringify(greeting),
    });
    await greeted.text();
    const id = greeted.headers.get('mcp-session-id') ?? '';
    const headers = { ...authorized, 'Mcp-Session-Id': id };
    expect((await door.fetch('/', { method: 'DELETE', headers })).status).toBe(200);
    const list = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' };
    expect((await door.fetch('/', list)).status).toBe(404);
  });
});

test('nothing said on the way tells the token', () => {
  expect(door.said.length).toBeGreaterThan(0);
  expect(door.said.join('\n')).not.toContain(secret);
});

describe('a client that takes its time', () => {
  const limits = { headersMs: 300, requestMs: 600, idleMs: 300 };

  /** What came back on a connection that sent this and then nothing, until it was hung up on. */
  function dribble(url: string, sent: string): Promise<string> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      let received = '';
      const socket = dial(Number(port), hostname, () => socket.write(sent));
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
  }

  test.each<[string, string]>([
    ['no header', ''],
    ['half a header', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    [
      'half a body',
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`,
    ],
  ])('sending %s is cut off', async (_what, sent) => {
    await using slow = await HttpDoor.open({ limits });
    expect(await dribble(slow.url, sent)).toMatch(/^HTTP\/1.1 408/);
  });

  test('waiting for a long call is not', async () => {
    await using slow = await HttpDoor.open({ limits });
    const client = await slow.client();
    // A server that has to be started first takes longer than any of the limits.
    const answer = await client.callTool({
      name: 'get_diagnostics',
      arguments: { file_path: ts.file('math.ts') },
    });
    expect(answer.isError).toBeFalsy();
  });
});

test('a door that closes lets the call under way finish', async () => {
  await using closing = await HttpDoor.open();
  const client = await closing.client();
  const arrived = nextArrival();
  const answer = client.callTool({
    name: 'start_lsp',
    arguments: { root_dir: ts.root, language_id: 'typescript' },
  });
  await arrived;
  await Promise.all([closing.end(), answer]);
  expect((await answer).isError).toBeFalsy();
  await expect(fetch(new URL('/health', closing.url))).rejects.toThrow();
});

/** Five megabytes whose length nobody was told. */
function endless(): ReadableStream<Uint8Array> {
  let left = 5;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      else controller.close();
    },
  });
}

/** Resolves when the next message reaches a server of this process. */
function nextArrival(): Promise<void> {
  return new Promise((resolve) => {
    const receive = (event: unknown): void => {
      if (z.object({ request: z.object({ method: z.literal('POST') }) }).safeParse(event).error) return;
      unsubscribe('http.server.request.start', receive);
      resolve();
    };
    subscribe('http.server.request.start', receive);
  });
}

describe('the built program', () => {
  test.each<[readonly string[], string]>([
    [['--http'], '--http requires a token'],
    [['--http', '--no-auth', '--listen-addr', '0.0.0.0'], '--no-auth is only allowed on a loopback address'],
    [['--http', '--port', '99999'], '--port value 99999 is out of range (1–65535)'],
  ])('refuses %j in a sentence', async (words, sentence) => {
    const { code, stdout, stderr } = await runProgram(['mcp', ...words]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(sentence);
  });

  test('serves until it is told to end, and never says its token', async () => {
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [bin, 'mcp', '--http', '--port', `${port}`, '--log-level', 'debug'],
      {
        env: { ...process.env, FORERUN_TOKEN: secret, FORERUN_AUDIT_LOG: 'off' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    await said(child.stderr, 'http.listening');
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}`), {
        requestInit: { headers: { Authorization: `Bearer ${secret}` } },
      }),
    );
    await client.callTool({ name: 'get_diagnostics', arguments: { file_path: ts.file('math.ts') } });
    expect((await fetch(`http://127.0.0.1:${port}`, { method: 'POST' })).status).toBe(401);
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect((await output).join('')).not.toContain(secret);
    await client.close();
  });
});

/** Resolves when the words have been said, in whatever pieces they come. */
function said(stream: Readable, words: string): Promise<void> {
  let received = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      received += chunk;
      if (received.includes(words)) resolve();
    });
    stream.once('end', () => reject(new Error(`ended before it said ${words}: ${received}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
