/**
 * The JSON-RPC connection to one server: requests with deadlines, cancelled when their caller gives up, in
 * Content-Length frames on a stream.
 *
 * Invariants: every request settles: with its response, at its deadline, when its caller aborts, or when the
 * connection is closed, with a failure that all pending requests receive at once. The first byte that cannot belong to
 * the protocol ends the reading with `ProtocolGarbage`; nothing is skipped in the hope of finding a frame later. Messages
 * are sent in order; those of one turn of the event loop are sent in one system call.
 */

import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable, onAbort } from '../../base/deadline.ts';
import { type Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { isRecord } from '../../base/record.ts';
import { ProtocolGarbage, RequestTimeout } from '../server-failure.ts';
import { readWireError, type WireError, wireErrorOf, wireFailureOf } from './wire-failure.ts';

export interface RpcHandlers {
  /** Handles a request of the other side; the signal aborts when the response is no longer needed. */
  request(method: string, params: unknown, signal: AbortSignal): unknown;
  notification(method: string, params: unknown): void;
}

/** A request of ours that has no response yet. */
interface Pending {
  settle(response: WireMessage): void;
  fail(failure: Failure): void;
}

/** When a request ends by itself. */
interface TimeLimit {
  readonly timeoutMs: number;
  readonly endsAt: number;
}

export class Rpc {
  /** Resolves when the stream ends: with the error that broke it, or undefined if the server closed it. */
  readonly ended: Promise<Error | undefined>;
  readonly #writer: FrameWriter;
  readonly #handlers: RpcHandlers;
  readonly #log: Log;
  readonly #pending = new Map<number, Pending>();
  /** Requests of the other side in progress, by their ids. */
  readonly #asked = new Map<unknown, AbortController>();
  /** Messages that were received and not handled yet. */
  readonly #received: WireMessage[] = [];
  /** What was handled in this turn of the event loop. */
  #handled: 'nothing' | 'responses' | 'another message' = 'nothing';
  #lastId = 0;
  #isOpen = true;
  #failure: Failure | undefined;

  constructor(
    streams: { readonly readable: Readable; readonly writable: Writable },
    handlers: RpcHandlers,
    log: Log,
  ) {
    this.#log = log;
    this.#handlers = handlers;
    let end: (error?: Error) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = (error) => {
        this.#isOpen = false;
        resolve(error);
      };
    });
    this.#writer = new FrameWriter(streams.writable, end);
    readFrames(streams.readable, { received: (message) => this.#receive(message), ended: end });
  }

  /**
   * Sends a request and waits, at most `timeoutMs` if given. `stale` says what to do if the server cancels the
   * request because its state has changed (ServerCancelled, ContentModified); `refusal: 'answer'` is for a caller to
   * whom an error is an answer like any other.
   */
  async request(
    method: string,
    params: unknown,
    options: {
      readonly timeoutMs?: number;
      readonly stale: 'retry' | 'report';
      readonly refusal?: 'answer' | undefined;
    },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { timeoutMs = Number.POSITIVE_INFINITY, stale, refusal } = options;
    const limit =
      timeoutMs > longestTimerMs ? undefined : { timeoutMs, endsAt: performance.now() + timeoutMs };
    for (let attempt = 0; ; attempt += 1) {
      const { error, result } = await this.#ask({ method, params }, limit, signal);
      if (error === undefined || refusal === 'answer') return result;
      if (stale === 'report' || !staleNumbers.has(error.code)) throw wireFailureOf(error);
      await this.#pause(attempt, limit, signal);
    }
  }

  /** Sends a notification; throws the failure the connection was closed with. */
  notify(method: string, params: unknown): void {
    if (this.#failure) throw this.#failure;
    if (this.#isOpen) this.#writer.write({ method, ...paramsField(params) });
    else this.#log.debug('lsp.notification_dropped', { method });
  }

  /** Closes the connection: pending and later requests fail with `failure`. */
  close(failure: Failure): void {
    this.#isOpen = false;
    this.#failure = failure;
    for (const pending of [...this.#pending.values()]) pending.fail(failure);
    for (const asked of this.#asked.values()) asked.abort(failure);
  }

  #ask(
    { method, params }: { readonly method: string; readonly params: unknown },
    limit: TimeLimit | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly result?: unknown; readonly error?: WireError }> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        stopListening();
        clearTimeout(timer);
        this.#pending.delete(id);
      };
      const fail = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const giveUp = (reason: unknown): void => {
        fail(reason);
        if (this.#isOpen) this.#writer.write({ method: '$/cancelRequest', params: { id } });
      };
      const stopListening = onAbort(signal, () => giveUp(signal.reason));
      const timer = limit && afterwards(limit, () => giveUp(new RequestTimeout(method, limit.timeoutMs)));
      const settle = ({ result, error }: WireMessage): void => {
        end();
        if (error) resolve({ error: readWireError(error) });
        else if (result !== undefined) resolve({ result });
        else reject(new Error(`the response to ${method} has neither a result nor an error`));
      };
      this.#pending.set(id, { settle, fail });
      // If the stream has ended, `close` will follow with the failure and settle this request.
      if (this.#isOpen) this.#writer.write({ id, method, ...paramsField(params) });
    });
  }

  /** The first retry is immediate; later ones are delayed. */
  async #pause(attempt: number, limit: TimeLimit | undefined, signal: AbortSignal): Promise<void> {
    if (attempt === 0) return;
    const left = (limit?.endsAt ?? Number.POSITIVE_INFINITY) - performance.now();
    const milliseconds = Math.max(0, Math.min(5 * 2 ** attempt, maxPauseMs, left));
    await abortable(pause(milliseconds, undefined, { ref: false }), signal);
  }

  /** What its receiver does about a message is done before the next one is handled. Responses do not wait for each other. */
  #receive(message: WireMessage): void {
    if (this.#received.length === 0 && this.#isInTurn(message)) this.#handle(message);
    else this.#received.push(message);
  }

  #isInTurn(message: WireMessage): boolean {
    return this.#handled === 'nothing' || (this.#handled === 'responses' && isResponse(message));
  }

  readonly #beginTurn = (): void => {
    this.#handled = 'nothing';
    for (;;) {
      const [next] = this.#received;
      if (next === undefined || !this.#isInTurn(next)) return;
      this.#received.shift();
      this.#handle(next);
    }
  };

  #handle(message: WireMessage): void {
    if (this.#failure) return;
    if (this.#handled === 'nothing') setImmediate(this.#beginTurn);
    this.#handled = isResponse(message) ? 'responses' : 'another message';
    const { id, method, params } = message;
    try {
      if (typeof method !== 'string') this.#settle(message);
      else if (id === undefined) this.#notified(method, params);
      else void this.#answer(id, { method, params });
    } catch (thrown) {
      this.#log.debug('lsp.connection', { message: `handling ${method} failed: ${messageOf(thrown)}` });
    }
  }

  #settle(message: WireMessage): void {
    // Some servers send the number as text.
    const pending = this.#pending.get(Number(message.id));
    if (pending) pending.settle(message);
    else this.#log.debug('lsp.connection', { message: 'a response to no request that is pending' });
  }

  #notified(method: string, params: unknown): void {
    if (method === '$/cancelRequest') {
      const asked = isRecord(params) ? this.#asked.get(params.id) : undefined;
      asked?.abort(new Error('the request was cancelled'));
    } else this.#handlers.notification(method, params);
  }

  /** Answers a request of the other side: its signal aborts when it is cancelled or the connection is closed. */
  async #answer(id: unknown, { method, params }: { method: string; params: unknown }): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(id, asked);
    const reply = (answer: WireMessage): void => {
      this.#asked.delete(id);
      if (this.#failure === undefined) this.#writer.write({ id, ...answer });
    };
    try {
      reply({ result: (await this.#handlers.request(method, params, asked.signal)) ?? null });
    } catch (thrown) {
      reply({ error: wireErrorOf(thrown, asked.signal) });
    }
  }
}

const maxPauseMs = 200;

/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** ContentModified and ServerCancelled: the request was valid and can be retried. */
const staleNumbers: ReadonlySet<number> = new Set([-32801, -32802]);

function isResponse({ method }: WireMessage): boolean {
  return method === undefined;
}

/** Parameters are an object; anything else is sent as a list with one element. */
function paramsField(params: unknown): { readonly params?: unknown } {
  if (params === undefined) return {};
  return { params: isRecord(params) ? params : [params] };
}

function afterwards({ endsAt }: TimeLimit, expired: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(expired, Math.max(0, endsAt - performance.now()));
}

/** A message of the protocol, without its version. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** Receives the messages of a stream, and its end: with the error that broke it, if one did. */
export interface FrameReceiver {
  received(message: WireMessage): void;
  ended(error?: Error): void;
}

export function readFrames(stream: Readable, { received, ended }: FrameReceiver): void {
  const frames = new Frames(received);
  const onData = (chunk: Buffer): void => {
    try {
      frames.read(chunk);
    } catch (thrown) {
      stream.off('data', onData);
      // The rest is read and dropped, so that the sender can exit instead of blocking on a full pipe.
      stream.resume();
      ended(thrown instanceof Error ? thrown : new Error(messageOf(thrown)));
    }
  };
  const onEnd = (): void => ended();
  stream.on('data', onData).on('error', ended).once('end', onEnd).once('close', onEnd);
}

class Frames {
  readonly #received: (message: WireMessage) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes are needed before parsing can continue. */
  #wanted = 1;
  #bodyLength: number | undefined;

  constructor(received: (message: WireMessage) => void) {
    this.#received = received;
  }

  read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) {
      const bytes = this.#joined();
      if (this.#bodyLength === undefined) this.#readHeader(bytes);
      else {
        const body = bytes.toString('utf8', 0, this.#bodyLength);
        this.#consume(bytes, this.#bodyLength);
        this.#bodyLength = undefined;
        this.#wanted = 1;
        this.#received(parseMessage(body));
      }
    }
  }

  #readHeader(bytes: Buffer): void {
    const end = bytes.indexOf(headerEnd);
    const text = bytes.toString('latin1', 0, end < 0 ? Math.min(bytes.length, maxHeaderBytes + 1) : end);
    if (
      text.length > maxHeaderBytes ||
      !headerStart.startsWith(text.slice(0, headerStart.length).toLowerCase())
    ) {
      throw new ProtocolGarbage(`expected a message header, got ${JSON.stringify(text.slice(0, 200))}`);
    }
    if (end < 0) {
      this.#wanted = bytes.length + 1;
      return;
    }
    const length = Number(text.match(contentLength)?.[1] ?? Number.NaN);
    if (!(length <= maxBodyBytes)) {
      throw new ProtocolGarbage(`no usable length in the header ${JSON.stringify(text)}`);
    }
    this.#consume(bytes, end + headerEnd.length);
    this.#bodyLength = length;
    this.#wanted = length;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }

  #consume(bytes: Buffer, count: number): void {
    const rest = bytes.subarray(count);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
  }
}

const headerEnd = '\r\n\r\n';
const maxHeaderBytes = 4096;
const maxBodyBytes = 256 * 1024 * 1024;

const contentLength = /^content-length:[ \t]*(\d+)[ \t]*$/im;

/** Both header fields of the protocol start with this word, which distinguishes a header from anything else. */
const headerStart = 'content-';

function parseMessage(body: string): WireMessage {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch (cause) {
    throw new ProtocolGarbage(`a message is not JSON: ${JSON.stringify(body.slice(0, 200))}`, { cause });
  }
  if (!isRecord(message)) {
    throw new ProtocolGarbage(`a message is not an object: ${JSON.stringify(body.slice(0, 200))}`);
  }
  return message;
}

class FrameWriter {
  readonly #stream: Writable;
  #isCorked = false;

  /** A failed write is reported by the end of the stream; no caller waits for the bytes to be sent. */
  constructor(stream: Writable, ended: (error?: Error) => void) {
    this.#stream = stream;
    stream.on('error', ended).once('close', () => ended());
  }

  write(message: WireMessage): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      process.nextTick(this.#uncork);
    }
    this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#stream.uncork();
  };
}
