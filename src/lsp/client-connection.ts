/**
 * The server's side of an LSP connection to one client.
 *
 * Invariant: when the client disconnects, `ended` resolves, every request sent to it fails at once and every request
 * it sent is aborted.
 */
import type { Duplex } from 'node:stream';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { isRecord } from '../base/record.ts';
import { Rpc, type RpcHandlers } from './internal/rpc.ts';
import type { AppliedEdit } from './server-options.ts';

/** Handles messages of the client. A thrown Failure is sent to it with its own code. */
export type ClientHandlers = RpcHandlers;

export class ClientConnection implements Disposable {
  /** Resolves, never rejects, when either side has closed the connection. */
  readonly ended: Promise<void>;
  readonly #stream: Duplex;
  readonly #rpc: Rpc;
  #isOpen = true;

  constructor(stream: Duplex, handlers: ClientHandlers, log: Log) {
    this.#stream = stream;
    this.#rpc = new Rpc({ readable: stream, writable: stream }, handlers, log);
    const closed = new Promise<void>((resolve) => stream.once('close', resolve));
    this.ended = Promise.race([closed, this.#rpc.ended]).then(() => this[Symbol.dispose]());
  }

  notify(method: string, params: unknown): void {
    if (this.#isOpen) this.#rpc.notify(method, params);
  }

  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#rpc.request(method, params, { stale: 'report' }, signal);
  }

  /** Asks the client to apply an edit; the result contains the reason if it did not. */
  async applyEdit(edit: unknown, signal: AbortSignal): Promise<AppliedEdit> {
    const answer = await this.request('workspace/applyEdit', { edit }, signal);
    const { applied, failureReason } = isRecord(answer) ? answer : {};
    return { applied: applied === true, ...(typeof failureReason === 'string' && { failureReason }) };
  }

  /** Closes the connection. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rpc.close(new ClientGone());
    this.#stream.destroy();
  }
}

/** The client has disconnected, so no response can be sent. */
class ClientGone extends Failure {
  readonly code = 'lsp/client-gone';
  readonly remedy = 'Connect again.';

  constructor() {
    super('the client has hung up');
  }
}
