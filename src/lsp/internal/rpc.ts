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
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type CancellationToken,
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Disposable as Listening,
  type Logger,
  type Message,
  type MessageConnection,
  type MessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { abortable, Deadline, onAbort } from '../../base/deadline.ts';
import { type Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { isRecord } from '../../base/record.ts';
import { ProtocolGarbage, RequestTimeout } from '../server-failure.ts';
import { responseErrorOf, wireFailureOf } from './wire-failure.ts';

export interface RpcHandlers {
  /** Handles a request of the other side; the signal aborts when the response is no longer needed. */
  request(method: string, params: unknown, signal: AbortSignal): unknown;
  notification(method: string, params: unknown): void;
}

export class Rpc {
  /** Resolves when the stream ends: with the error that broke it, or undefined if the server closed it. */
  readonly ended: Promise<Error | undefined>;
  readonly #connection: MessageConnection;
  readonly #log: Log;
  readonly #closing = new AbortController();
  /** Requests of the other side in progress. */
  readonly #asked = new Set<AbortController>();
  #isOpen = true;

  constructor(
    streams: { readonly readable: Readable; readonly writable: Writable },
    handlers: RpcHandlers,
    log: Log,
  ) {
    this.#log = log;
    const connection = createMessageConnection(
      new FrameReader(streams.readable),
      new FrameWriter(streams.writable),
      loggerOver(log),
    );
    this.#connection = connection;
    this.ended = new Promise((resolve) => {
      const end = (error?: Error): void => {
        this.#isOpen = false;
        resolve(error);
      };
      connection.onError(([error]) => end(error));
      connection.onClose(() => end());
    });
    connection.onRequest(async (method: string, params: unknown, token: CancellationToken) => {
      using asked = this.#question(token);
      try {
        return (await handlers.request(method, params, asked.signal)) ?? null;
      } catch (thrown) {
        throw responseErrorOf(thrown, asked.signal);
      }
    });
    connection.onNotification((method: string, params: unknown) => handlers.notification(method, params));
    // The library dispatches progress by token; here it is an ordinary notification.
    connection.onNotification('$/progress', (params: unknown) => handlers.notification('$/progress', params));
    connection.listen();
  }

  /**
   * Sends a request and waits, at most `timeoutMs` if given. `stale` says what to do if the server cancels the
   * request because its state has changed (ServerCancelled, ContentModified).
   */
  async request(
    method: string,
    params: unknown,
    options: { readonly timeoutMs?: number; readonly stale: 'retry' | 'report' },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { timeoutMs } = options;
    if (timeoutMs === undefined || timeoutMs > longestTimerMs) {
      return this.#askAgain(method, params, options.stale, signal);
    }
    using deadline = new Deadline(timeoutMs, signal);
    try {
      return await this.#askAgain(method, params, options.stale, deadline.signal);
    } catch (thrown) {
      throw deadline.expired && thrown === deadline.signal.reason
        ? new RequestTimeout(method, timeoutMs)
        : thrown;
    }
  }

  /** Sends a notification; throws the failure the connection was closed with. */
  notify(method: string, params: unknown): void {
    this.#closing.signal.throwIfAborted();
    if (!this.#isOpen) {
      this.#log.debug('lsp.notification_dropped', { method });
      return;
    }
    const { sendNotification } = this.#connection;
    // The library would send absent parameters as a list that contains null.
    const sent = params === undefined ? sendNotification(method) : sendNotification(method, params);
    sent.catch((thrown: unknown) => {
      this.#log.debug('lsp.notification_failed', { method, error: messageOf(thrown) });
    });
  }

  /** Closes the connection: pending and later requests fail with `failure`. */
  close(failure: Failure): void {
    this.#isOpen = false;
    this.#closing.abort(failure);
    for (const asked of this.#asked) asked.abort(failure);
    this.#connection.dispose();
  }

  /** A request of the other side: its signal aborts when it is cancelled or the connection is closed. */
  #question(token: CancellationToken): Disposable & { readonly signal: AbortSignal } {
    const controller = new AbortController();
    this.#asked.add(controller);
    const listener = token.onCancellationRequested(() =>
      controller.abort(new Error('the request was cancelled')),
    );
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        listener.dispose();
        this.#asked.delete(controller);
      },
    };
  }

  async #askAgain(
    method: string,
    params: unknown,
    stale: 'retry' | 'report',
    signal: AbortSignal,
  ): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#ask(method, params, signal);
      } catch (thrown) {
        if (!(thrown instanceof ResponseError)) throw thrown;
        if (stale === 'report' || !staleNumbers.has(thrown.code)) throw wireFailureOf(thrown);
      }
      await this.#pause(attempt, signal);
    }
  }

  async #ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const closing = this.#closing.signal;
    // The stream has ended; `close` will follow with the failure and settle this request.
    const answer = this.#isOpen ? this.#send(method, params, signal) : new Promise<never>(() => {});
    return abortable(abortable(answer, closing), signal);
  }

  #send(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const source = new CancellationTokenSource();
    const cancel = (): void => {
      if (this.#isOpen) source.cancel();
    };
    const stopListening = onAbort(signal, cancel);
    const answer =
      params === undefined
        ? this.#connection.sendRequest(method, source.token)
        : this.#connection.sendRequest(method, params, source.token);
    return answer.finally(stopListening);
  }

  /** The first retry is immediate; later ones are delayed. */
  async #pause(attempt: number, signal: AbortSignal): Promise<void> {
    if (attempt === 0) return;
    const milliseconds = Math.min(5 * 2 ** attempt, maxPauseMs);
    await abortable(pause(milliseconds, undefined, { ref: false }), signal);
  }
}

const maxPauseMs = 200;

/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** ContentModified and ServerCancelled: the request was valid and can be retried. */
const staleNumbers: ReadonlySet<number> = new Set([-32801, -32802]);

function loggerOver(log: Log): Logger {
  const write = (message: string): void => log.debug('lsp.connection', { message });
  return { error: write, warn: write, info: write, log: write };
}

export class FrameReader extends AbstractMessageReader {
  readonly #stream: Readable;
  #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes are needed before parsing can continue. */
  #wanted = 1;
  #bodyLength: number | undefined;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
  }

  listen(callback: DataCallback): Listening {
    const onData = (chunk: Buffer): void => {
      try {
        this.#read(chunk, callback);
      } catch (thrown) {
        stop();
        // The rest is read and dropped, so that the sender can exit instead of blocking on a full pipe.
        this.#stream.resume();
        this.fireError(thrown);
      }
    };
    const onError = (error: Error): void => this.fireError(error);
    const onEnd = (): void => this.fireClose();
    const stop = (): void => {
      this.#stream.off('data', onData);
      this.#chunks = [];
    };
    this.#stream.on('data', onData).on('error', onError).once('end', onEnd).once('close', onEnd);
    return { dispose: stop };
  }

  #read(chunk: Buffer, callback: DataCallback): void {
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
        callback(parseMessage(body));
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

function parseMessage(body: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch (cause) {
    throw new ProtocolGarbage(`a message is not JSON: ${JSON.stringify(body.slice(0, 200))}`, { cause });
  }
  if (!isMessage(message)) {
    throw new ProtocolGarbage(`a message is not an object: ${JSON.stringify(body.slice(0, 200))}`);
  }
  return message;
}

/** The connection checks the rest; some servers omit `jsonrpc`. */
function isMessage(value: unknown): value is Message {
  return isRecord(value);
}

export class FrameWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;
  #isCorked = false;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on('error', (error) => this.fireError(error)).once('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      process.nextTick(this.#uncork);
    }
    this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    // A failed write is reported by the stream's error event; no caller waits for the bytes to be sent.
    return written;
  }

  end(): void {
    this.#stream.end();
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#stream.uncork();
  };
}

const written: Promise<void> = Promise.resolve();
