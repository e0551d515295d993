/**
 * One MCP connection over HTTP, and the activity of its client.
 *
 * Invariant: a connection is idle only if none of its calls is running and its client has sent nothing for a while.
 * An open event stream alone proves nothing, since a client can vanish without closing its socket; clients with a
 * stream are pinged, and their responses count.
 */
import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

export interface HttpConnectionParts {
  readonly id: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export class HttpConnection {
  readonly id: string;
  readonly server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** The request that opens the connection is running from the start. */
  #calls = 1;
  #streams = 0;
  #receivedAt = Date.now();
  #hasCalledTool = false;

  constructor({ id, server, transport }: HttpConnectionParts) {
    this.id = id;
    this.server = server;
    this.#transport = transport;
  }

  /** Handles the request that opened the connection. */
  async answerFirst(request: Request, parsedBody: unknown): Promise<Response> {
    try {
      return await this.answer(request, { parsedBody });
    } finally {
      this.#count('call', -1);
    }
  }

  /** Handles a request of the client; it counts as running until the last byte of the response is read. */
  async answer(request: Request, options?: { readonly parsedBody: unknown }): Promise<Response> {
    const kind = request.method === 'GET' ? 'stream' : 'call';
    this.#receivedAt = Date.now();
    this.#count(kind, 1);
    const done = (): void => this.#count(kind, -1);
    try {
      return whenRead(await this.#transport.handleRequest(request, options), done);
    } catch (thrown) {
      done();
      throw thrown;
    }
  }

  /** Records that the client has used a tool: it has more to lose than one that only connected. */
  calledTool(): void {
    this.#hasCalledTool = true;
  }

  get hasCalledTool(): boolean {
    return this.#hasCalledTool;
  }

  get receivedAt(): number {
    return this.#receivedAt;
  }

  get hasStream(): boolean {
    return this.#streams > 0;
  }

  isRunning(): boolean {
    return this.#calls > 0;
  }

  /** Whether the client can be pinged, has nothing running and has been silent for this long. */
  shouldBePinged(silentMs: number): boolean {
    return this.hasStream && this.isSilentFor(silentMs);
  }

  isSilentFor(milliseconds: number): boolean {
    return this.#calls === 0 && Date.now() - this.#receivedAt >= milliseconds;
  }

  #count(kind: 'stream' | 'call', step: 1 | -1): void {
    if (kind === 'stream') {
      this.#streams += step;
      return;
    }
    this.#calls += step;
    // A client that waited for a long response was not silent.
    this.#receivedAt = Date.now();
  }
}

/** The same response; `done` runs once when it was read to its end, cancelled or broken off. */
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
