/**
 * The JSON-RPC connection to one server: requests with deadlines, cancelled when their caller gives up.
 *
 * Invariants: every request settles: with its response, at its deadline, when its caller aborts, or when the
 * connection is closed, with a failure that all pending requests receive at once. A failure that crosses a broker keeps
 * its code and its remedy.
 */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CancellationToken,
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type Logger,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { abortable, Deadline, onAbort } from '../../base/deadline.ts';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { isRecord } from '../../base/record.ts';
import { BrokeredFailure, RequestTimeout, ResponseFailed } from '../server-failure.ts';
import { FrameReader, FrameWriter } from './frame.ts';

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

/** Outside the ranges reserved by the protocols: the error is a failure with a code. */
const namedFailure = -31001;

const requestCancelled = -32800;

/** The error response for a request that failed. */
function responseErrorOf(thrown: unknown, asked: AbortSignal): ResponseError<unknown> {
  if (thrown instanceof ResponseError) return thrown;
  if (thrown instanceof ResponseFailed) {
    return new ResponseError(thrown.number, thrown.sentence, thrown.data);
  }
  if (asked.aborted) return new ResponseError(requestCancelled, 'the request was cancelled');
  if (thrown instanceof Failure) {
    const { code, remedy, message } = thrown;
    return new ResponseError(namedFailure, message, { code, remedy });
  }
  return new ResponseError(ErrorCodes.InternalError, messageOf(thrown));
}

/** The failure for an error of the other side. */
function wireFailureOf(error: ResponseError<unknown>): Failure {
  const { code: number, message, data } = error;
  if (number === namedFailure && isRecord(data)) {
    const { code, remedy } = data;
    if (typeof code === 'string' && typeof remedy === 'string') {
      return new BrokeredFailure({ code, remedy, message });
    }
  }
  return new ResponseFailed(error);
}
