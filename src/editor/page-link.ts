/**
 * One WebSocket of a page.
 *
 * Invariants: nothing is answered before `hello`. Requests are begun in the order they arrive, so that a handler that
 * does not wait sees the effect of those before it. Each request is answered once. When the socket closes, its requests
 * are aborted; work that must survive that runs under the editor's own signal.
 */
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Log } from '../base/log.ts';
import type { Editor } from './editor.ts';
import { InvalidParams, pageFailureOf, TooManyRequests, UnknownMethod } from './editor-failure.ts';
import type { NumberedEvent } from './event-log.ts';
import {
  type ClientMessage,
  clientMessage,
  heartbeatMs,
  type MethodName,
  methods,
  protocolVersion,
  type ServerMessage,
} from './protocol.ts';

export interface LinkLimits {
  readonly heartbeatMs: number;
  /** How long a socket may be silent before its `hello`. */
  readonly helloMs: number;
  readonly requestsInFlight: number;
  /** A page that does not read its messages is cut off here; it reconnects and is sent what it missed. */
  readonly unsentBytes: number;
}

export const defaultLinkLimits: LinkLimits = {
  heartbeatMs,
  helloMs: 10_000,
  requestsInFlight: 64,
  unsentBytes: 64 * 2 ** 20,
};

/** Codes of the protocol for closing; those from 4000 on are our own. */
const closeCodes = { policy: 1008, overloaded: 4008, outdated: 4009 } as const;

export class PageLink implements Disposable {
  readonly #editor: Editor;
  readonly #socket: WebSocket;
  readonly #limits: LinkLimits;
  readonly #log: Log;
  readonly #requests = new Map<number, AbortController>();
  #page: string | undefined;
  #events: Disposable | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    editor: Editor,
    { socket, limits, log }: { readonly socket: WebSocket; readonly limits: LinkLimits; readonly log: Log },
  ) {
    this.#editor = editor;
    this.#socket = socket;
    this.#limits = limits;
    this.#log = log;
    this.#timer = setTimeout(() => this.#refuse(closeCodes.policy, 'no hello in time'), limits.helloMs);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#refuse(closeCodes.policy, 'text messages only');
      else this.#receive(String(data));
    });
    // Node would end the process on an error event without a listener; the socket closes by itself after one.
    socket.on('error', (error) =>
      log.info('editor.link-error', { code: 'editor/link-error', error: error.message }),
    );
    socket.on('close', () => this[Symbol.dispose]());
  }

  /** Ends the link; may be called more than once. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearInterval(this.#timer);
    this.#events?.[Symbol.dispose]();
    this.#events = undefined;
    for (const controller of this.#requests.values()) controller.abort();
    this.#requests.clear();
    const page = this.#page;
    this.#page = undefined;
    if (page !== undefined) this.#editor.pages.left(page);
    if (this.#socket.readyState <= 1) this.#socket.close(1001);
  }

  #receive(text: string): void {
    const message = parsed(text);
    if (!message) this.#refuse(closeCodes.policy, 'not a message of this protocol');
    else if (message.kind === 'hello') this.#greet(message);
    else if (this.#page === undefined) this.#refuse(closeCodes.policy, 'hello comes first');
    else if (message.kind === 'cancel') this.#requests.get(message.id)?.abort();
    else this.#answer(message, this.#page);
  }

  #greet({ protocol, page, lastSeq }: ClientMessage & { readonly kind: 'hello' }): void {
    if (this.#page !== undefined) {
      this.#refuse(closeCodes.policy, 'one hello only');
      return;
    }
    clearTimeout(this.#timer);
    if (protocol !== protocolVersion) {
      this.#send({ kind: 'outdated', protocol: protocolVersion });
      this.#refuse(closeCodes.outdated, 'another protocol');
      return;
    }
    const { log } = this.#editor;
    this.#page = page;
    this.#editor.pages.entered(page);
    const missed = lastSeq === undefined ? undefined : log.since(lastSeq);
    if (missed) {
      this.#send({ kind: 'welcome', seq: log.seq });
      for (const event of missed) this.#sendEvent(event);
    } else this.#send({ kind: 'welcome', seq: log.seq, snapshot: this.#editor.snapshot() });
    this.#events = log.published.subscribe((event) => this.#sendEvent(event));
    this.#timer = setInterval(
      () => this.#send({ kind: 'heartbeat', seq: log.seq }),
      this.#limits.heartbeatMs,
    );
  }

  #answer({ id, method, params }: ClientMessage & { readonly kind: 'request' }, page: string): void {
    const controller = new AbortController();
    if (this.#requests.has(id)) {
      this.#refuse(closeCodes.policy, 'the number of a request is used once');
      return;
    }
    if (this.#requests.size >= this.#limits.requestsInFlight) {
      const failure = pageFailureOf(new TooManyRequests(this.#limits.requestsInFlight));
      this.#send({ kind: 'failure', id, failure });
      return;
    }
    this.#requests.set(id, controller);
    this.#result({ method, params, page }, controller.signal).then(
      (result) => this.#conclude({ kind: 'result', id, result }),
      (thrown: unknown) => {
        const failure = pageFailureOf(thrown);
        if (failure.code === 'editor/failed') {
          this.#log.warning('editor.request-failed', { code: failure.code, method, error: failure.message });
        }
        this.#conclude({ kind: 'failure', id, failure });
      },
    );
  }

  /** Begins the handler before it returns. */
  async #result(
    { method, params, page }: { readonly method: string; readonly params: unknown; readonly page: string },
    signal: AbortSignal,
  ): Promise<unknown> {
    if (!isMethod(method)) throw new UnknownMethod(method);
    const handler = this.#editor.handler(method);
    if (!handler) throw new UnknownMethod(method);
    const schema: z.ZodType = methods[method].params;
    const given = schema.safeParse(params);
    if (!given.success) throw new InvalidParams(method, given.error.issues.map(issueText).join('; '));
    return handler(given.data, { page }, signal);
  }

  #conclude(message: ServerMessage & { readonly id: number }): void {
    if (this.#requests.delete(message.id)) this.#send(message);
  }

  #sendEvent({ seq, event }: NumberedEvent): void {
    this.#send({ kind: 'event', seq, event });
  }

  #send(message: ServerMessage): void {
    if (this.#socket.readyState !== 1) return;
    if (this.#socket.bufferedAmount > this.#limits.unsentBytes) {
      this.#refuse(closeCodes.overloaded, 'the page does not read its messages');
    } else this.#socket.send(JSON.stringify(message));
  }

  #refuse(code: number, reason: string): void {
    this.#log.info('editor.link-refused', { code: 'editor/link-refused', reason });
    this.#socket.close(code, reason);
    this[Symbol.dispose]();
  }
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

function parsed(text: string): ClientMessage | undefined {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')} ${message}`.trim();
}
