/**
 * MCP over Streamable HTTP: one endpoint, any number of connections.
 *
 * Invariants: a connection's state is reached only with the id it was given, which cannot be guessed; there are never
 * more than the limit, and one that was left unused makes room when another comes.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './served-connection.ts';

export interface McpHttpOptions {
  /** What a new connection gets. */
  readonly connect: () => McpServerOptions;
  readonly log: Log;
  readonly maxBodyBytes: number;
  readonly maxConnections?: number;
  /** How long a connection may go without a request. */
  readonly idleMs?: number;
}

interface Connection {
  readonly id: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams that are open now. */
  open: number;
  lastUsedAt: number;
}

const hourMs = 3_600_000;

export class McpHttp implements AsyncDisposable {
  readonly #options: Required<McpHttpOptions>;
  readonly #connections = new Map<string, Connection>();

  constructor(options: McpHttpOptions) {
    this.#options = { maxConnections: 256, idleMs: hourMs, ...options };
  }

  get connections(): number {
    return this.#connections.size;
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const connection = this.#connections.get(id);
      if (!connection) return fault(404, -32001, 'Session not found');
      return this.#within(connection, () => connection.transport.handleRequest(request));
    }
    if (request.method !== 'POST')
      return fault(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    return this.#first(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => this.#close(connection)));
  }

  /** Only a greeting may come without an id; it begins a connection. */
  async #first(request: Request): Promise<Response> {
    const body = await readRequestBody(request, this.#options.maxBodyBytes);
    if (body.tooLarge) return fault(413, -32000, `a body may have ${this.#options.maxBodyBytes} bytes`);
    const message = parsed(body.text);
    if (message === undefined) return fault(400, -32700, 'Parse error: Invalid JSON');
    if (!isInitializeRequest(message)) {
      return fault(400, -32000, 'Bad Request: Mcp-Session-Id header is required; begin with initialize');
    }
    await this.#makeRoom();
    if (this.#connections.size >= this.#options.maxConnections) {
      return fault(503, -32000, 'too many connections; close one or try again later');
    }
    const connection = await this.#open();
    const response = await this.#within(connection, () =>
      connection.transport.handleRequest(request, { parsedBody: message }),
    );
    if (!response.ok) await this.#close(connection);
    return response;
  }

  async #open(): Promise<Connection> {
    const id = randomUUID();
    const options = this.#options.connect();
    const server = createMcpServer(options);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.#options.maxBodyBytes,
    });
    await server.connect(transport);
    const connection: Connection = { id, server, transport, open: 0, lastUsedAt: Date.now() };
    const closed = server.onclose;
    server.onclose = () => {
      this.#connections.delete(id);
      options.release();
      closed?.();
    };
    this.#connections.set(id, connection);
    this.#options.log.debug('mcp.connected', { connections: this.#connections.size });
    return connection;
  }

  /** Counts the answer as open until its last byte is gone. */
  async #within(connection: Connection, answer: () => Promise<Response>): Promise<Response> {
    connection.open += 1;
    const done = (): void => {
      connection.open -= 1;
      connection.lastUsedAt = Date.now();
    };
    try {
      return whenRead(await answer(), done);
    } catch (thrown) {
      done();
      throw thrown;
    }
  }

  async #makeRoom(): Promise<void> {
    const oldest = Date.now() - this.#options.idleMs;
    for (const connection of [...this.#connections.values()]) {
      if (connection.open === 0 && connection.lastUsedAt < oldest) await this.#close(connection);
    }
  }

  async #close(connection: Connection): Promise<void> {
    this.#connections.delete(connection.id);
    await connection.server.close().catch((thrown: unknown) => {
      this.#options.log.debug('mcp.close-failed', { code: 'mcp/close-failed', error: messageOf(thrown) });
    });
  }
}

function fault(status: number, code: number, message: string): Response {
  // Where a body was not read to its end, nothing can follow it on the same connection.
  const headers = status === 413 ? { headers: { Connection: 'close' } } : {};
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, ...headers });
}

/** The same response, with word of its end: read to it, given up on or broken off. */
function whenRead(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader.read().catch((thrown: unknown) => {
        done();
        throw thrown;
      });
      if (!chunk.done) return controller.enqueue(chunk.value);
      done();
      controller.close();
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
