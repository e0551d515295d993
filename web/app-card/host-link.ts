/**
 * The card's end of the extension MCP Apps: JSON-RPC over messages between windows.
 *
 * The library of the extension brings half a megabyte for what is said here; the tests have its host talk to this end.
 *
 * Invariants: only messages of the window that embeds the card are read. A request is answered once, or fails when the
 * host refuses it. Nothing but the handshake is sent before the host has answered it.
 */
import * as z from 'zod/mini';

/** The revision of the extension. */
const protocolVersion = '2026-01-26';

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});

const hostContext = z.object({
  theme: z.optional(z.enum(['light', 'dark'])),
  styles: z.optional(z.object({ variables: z.optional(z.record(z.string(), z.unknown())) })),
});
export type HostContext = z.infer<typeof hostContext>;

const toolResult = z.object({
  content: z.array(z.object({ type: z.string(), text: z.optional(z.string()) })),
  isError: z.optional(z.boolean()),
  _meta: z.optional(z.record(z.string(), z.unknown())),
});
export type CardToolResult = z.infer<typeof toolResult>;

const toolInput = z.object({ arguments: z.optional(z.record(z.string(), z.unknown())) });

export interface HostListener {
  /** What the tool was called with. */
  input(given: Readonly<Record<string, unknown>>): void;
  result(result: CardToolResult): void;
  cancelled(): void;
  context(context: HostContext): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export class HostLink {
  readonly #listener: HostListener;
  readonly #host: Window;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(listener: HostListener, host: Window = window.parent) {
    this.#listener = listener;
    this.#host = host;
  }

  async connect(): Promise<void> {
    window.addEventListener('message', (event) => {
      if (event.source === this.#host) this.#receive(event.data);
    });
    const answer = await this.#request('ui/initialize', {
      protocolVersion,
      appInfo: { name: 'forerun', version: '1' },
      appCapabilities: {},
    });
    const context = z.object({ hostContext: z.optional(hostContext) }).safeParse(answer).data?.hostContext;
    if (context) this.#listener.context(context);
    this.#notify('ui/notifications/initialized', {});
    this.#reportSize();
  }

  /** Calls a tool of the server through the host. */
  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<CardToolResult> {
    return toolResult.parse(await this.#request('tools/call', { name, arguments: args }));
  }

  /** Says something in the chat, in the name of the user. */
  async say(text: string): Promise<void> {
    await this.#request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
  }

  #receive(data: unknown): void {
    const received = message.safeParse(data).data;
    if (!received) return;
    const { id, method, params } = received;
    if (method === undefined) this.#answered(id, received);
    else if (id === undefined) this.#notified(method, params);
    else this.#answer(id, method);
  }

  #notified(method: string, params: unknown): void {
    switch (method) {
      case 'ui/notifications/tool-input':
        this.#listener.input(toolInput.safeParse(params).data?.arguments ?? {});
        break;
      case 'ui/notifications/tool-result': {
        const result = toolResult.safeParse(params).data;
        if (result) this.#listener.result(result);
        break;
      }
      case 'ui/notifications/tool-cancelled':
        this.#listener.cancelled();
        break;
      case 'ui/notifications/host-context-changed': {
        const context = hostContext.safeParse(params).data;
        if (context) this.#listener.context(context);
        break;
      }
    }
  }

  /** The host asks whether the card is there, and says when it takes it away. */
  #answer(id: string | number, method: string): void {
    if (method === 'ping' || method === 'ui/resource-teardown') {
      this.#send({ id, result: {} });
      return;
    }
    this.#send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }

  #answered(id: string | number | undefined, { result, error }: z.infer<typeof message>): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting || typeof id !== 'number') return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  #send(members: Readonly<Record<string, unknown>>): void {
    this.#host.postMessage({ jsonrpc: '2.0', ...members }, '*');
  }

  /** The host gives the card the height it asks for. */
  #reportSize(): void {
    const report = (): void => {
      const { width, height } = document.body.getBoundingClientRect();
      this.#notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
    };
    new ResizeObserver(report).observe(document.body);
    report();
  }
}
