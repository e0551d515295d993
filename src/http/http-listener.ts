/**
 * Listening for HTTP requests, from the first to a drained end.
 *
 * Invariants: a client that is slow to ask, or to read its answer, is cut off; one whose answer takes long to compute
 * never is. Ending lets the requests under way finish, within a limit.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { abortable, Deadline } from '../base/deadline.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { securityHeaders } from './http-app.ts';

export interface HttpListenerOptions {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Takes over the socket of a request to upgrade; absent: such a request is answered like any other. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly limits?: HttpLimits;
  readonly log: Log;
}

/** How long a client may take over each part, in milliseconds. */
export interface HttpLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
}

const defaultLimits: HttpLimits = { headersMs: 10_000, requestMs: 30_000, idleMs: 120_000 };

export class HttpListener {
  readonly #server: Server;
  readonly #working = new Set<ServerResponse>();
  #drained: (() => void) | undefined;

  /** Resolves when the port is ours; fails with the reason when it cannot be. */
  static async start(options: HttpListenerOptions, signal: AbortSignal): Promise<HttpListener> {
    const listener = new HttpListener(options);
    await abortable(listener.#listen(options), signal);
    return listener;
  }

  private constructor({ fetch, upgrade, log, limits = defaultLimits }: HttpListenerOptions) {
    const answer = getRequestListener(fetch, { overrideGlobalObjects: false });
    this.#server = createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: limits.idleMs,
        // Node looks for late clients only this often.
        connectionsCheckingInterval: Math.min(1000, limits.headersMs),
      },
      (request, response) => {
        this.#count(request, response);
        answer(request, response).catch((thrown: unknown) => {
          log.error('http.failed', { code: 'http/failed', error: messageOf(thrown) });
          response.destroy();
        });
      },
    );
    this.#server.timeout = limits.requestMs;
    // Silence alone is no fault: the answer may take long, and a slow request has limits of its own. Bytes the client does
    // not take are.
    this.#server.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
    this.#server.on('clientError', refuse);
    if (upgrade) this.#server.on('upgrade', upgrade);
  }

  /** Where it can be reached. */
  get url(): string {
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener is closed');
    return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  }

  /** Takes no more clients, and waits for the requests under way as long as the time allows. */
  async drain(graceMs: number): Promise<void> {
    this.#server.close();
    this.#server.closeIdleConnections();
    using deadline = new Deadline(graceMs, neverAborts());
    const idle = new Promise<void>((resolve) => {
      this.#drained = resolve;
      if (this.#working.size === 0) resolve();
    });
    await abortable(idle, deadline.signal).catch(() => undefined);
  }

  /** Hangs up on whoever is left. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #listen({ address, port }: HttpListenerOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => reject(new CannotListen(address, port, { cause })));
      this.#server.listen(port, address, resolve);
    });
  }

  /** A GET asks for nothing to be done, so nobody loses work when it is cut off. */
  #count(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET') return;
    this.#working.add(response);
    response.once('close', () => {
      this.#working.delete(response);
      if (this.#working.size === 0) this.#drained?.();
    });
  }
}

class CannotListen extends Failure {
  readonly code = 'http/cannot-listen';
  readonly remedy = 'Choose another --port or --listen-addr, or end the program that holds this one.';

  constructor(address: string, port: number, options: { readonly cause: Error }) {
    super(`cannot listen on ${address} port ${port}: ${options.cause.message}`, options);
  }
}

/** What is not a request, or did not come in time, is answered and hung up on. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  const headers = Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers.join('')}Connection: close\r\n\r\n`);
  socket.destroy();
}
