/**
 * MCP over Streamable HTTP: one endpoint, any number of connections.
 *
 * Invariants: a connection's state is reached only with the id it was given, which cannot be guessed. There are never
 * more than the limit; at the limit a new client replaces an abandoned connection, never one whose client is active.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { HttpConnection } from './http-connection.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './mcp-server-options.ts';

export interface McpHttpOptions {
  /** The options of a new connection. */
  readonly connect: () => McpServerOptions;
  readonly log: Log;
  readonly maxBodyBytes: number;
  readonly limits?: ConnectionLimits;
}

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** A connection whose client is silent for this long is closed. */
  readonly idleMs: number;
  /** A client with an open event stream is pinged after this much silence; after two missed pings it counts as gone. */
  readonly pingMs: number;
}

const defaultLimits: ConnectionLimits = { maxConnections: 256, idleMs: 30 * 60_000, pingMs: 30_000 };

export class McpHttp implements AsyncDisposable {
  readonly #options: McpHttpOptions;
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<string, HttpConnection>();
  readonly #sweeping: NodeJS.Timeout;
  /** Connections that are being disposed. */
  readonly #endings = new Set<Promise<void>>();

  constructor(options: McpHttpOptions) {
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
    this.#sweeping = setInterval(() => this.#sweep(), this.#limits.pingMs);
    this.#sweeping.unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const connection = this.#connections.get(id);
      if (!connection) return fault(404, -32001, 'Session not found');
      return connection.answer(request);
    }
    if (request.method !== 'POST')
      return fault(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    return this.#first(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#connections.values()].map((connection) => this.#close(connection)));
    await Promise.all(this.#endings);
  }

  /** Only `initialize` may come without an id; it opens a connection. */
  async #first(request: Request): Promise<Response> {
    const body = await readRequestBody(request, this.#options.maxBodyBytes);
    if (body.tooLarge) return fault(413, -32000, `a body may have ${this.#options.maxBodyBytes} bytes`);
    const message = parsed(body.text);
    if (message === undefined) return fault(400, -32700, 'Parse error: Invalid JSON');
    if (!isInitializeRequest(message)) {
      return fault(400, -32000, 'Bad Request: Mcp-Session-Id header is required; begin with initialize');
    }
    if (!this.#makeRoom()) return fault(503, -32000, 'too many connections; close one or try again later');
    const connection = await this.#open();
    const response = await connection.answerFirst(request, message);
    if (!response.ok) await this.#close(connection);
    return response;
  }

  /** Counted before it waits for anything, so that simultaneous clients cannot exceed the limit. */
  async #open(): Promise<HttpConnection> {
    const id = randomUUID();
    const options = this.#options.connect();
    const onCall = (): void => {
      connection.calledTool();
      options.onCall?.();
    };
    const server = createMcpServer({ ...options, onCall });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.#options.maxBodyBytes,
    });
    const connection = new HttpConnection({ id, server, transport });
    this.#connections.set(id, connection);
    const closed = server.onclose;
    server.onclose = () => {
      this.#connections.delete(id);
      this.#end(options);
      closed?.();
    };
    await server.connect(transport);
    this.#options.log.debug('mcp.connected', { connections: this.#connections.size });
    return connection;
  }

  /** Disposes the connection of a client that has gone; disposing the front end waits for it. */
  #end(options: McpServerOptions): void {
    const ending = this.#release(options).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  async #release({ connection }: McpServerOptions): Promise<void> {
    try {
      await connection[Symbol.asyncDispose]();
    } catch (thrown) {
      this.#options.log.warning('mcp.end-failed', { code: 'mcp/end-failed', error: messageOf(thrown) });
    }
  }

  /** Whether there is room for one more; closes an abandoned connection if needed. */
  #makeRoom(): boolean {
    const { maxConnections } = this.#limits;
    while (this.#connections.size >= maxConnections) {
      const [evicted] = [...this.#connections.values()]
        .filter((connection) => this.#isAbandoned(connection))
        .sort((a, b) => Number(a.hasCalledTool) - Number(b.hasCalledTool) || a.receivedAt - b.receivedAt);
      if (!evicted) return false;
      this.#options.log.info('mcp.evicted', { connections: this.#connections.size });
      this.#closeLater(evicted);
    }
    return true;
  }

  /** Without a stream nothing shows that the client still exists; with one, it must have answered a ping. */
  #isAbandoned(connection: HttpConnection): boolean {
    if (connection.isRunning()) return false;
    return !connection.hasStream || connection.isSilentFor(3 * this.#limits.pingMs);
  }

  #sweep(): void {
    const { idleMs, pingMs } = this.#limits;
    for (const connection of [...this.#connections.values()]) {
      if (connection.isSilentFor(idleMs)) {
        this.#options.log.info('mcp.idle', { connections: this.#connections.size });
        this.#closeLater(connection);
      } else if (connection.shouldBePinged(pingMs)) {
        // The pong arrives as a request of the client and is counted there.
        connection.server.ping().catch((thrown: unknown) => {
          this.#options.log.debug('mcp.no-pong', { code: 'mcp/no-pong', error: messageOf(thrown) });
        });
      }
    }
  }

  #closeLater(connection: HttpConnection): void {
    this.#connections.delete(connection.id);
    void this.#close(connection);
  }

  async #close(connection: HttpConnection): Promise<void> {
    this.#connections.delete(connection.id);
    await connection.server.close().catch((thrown: unknown) => {
      this.#options.log.debug('mcp.close-failed', { code: 'mcp/close-failed', error: messageOf(thrown) });
    });
  }
}

function fault(status: number, code: number, message: string): Response {
  const headers: Record<string, string> = {
    // If a body was not read to its end, the HTTP connection cannot be reused.
    ...(status === 413 && { Connection: 'close' }),
    ...(status === 503 && { 'Retry-After': '30' }),
  };
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
