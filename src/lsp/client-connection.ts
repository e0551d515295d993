/**
 * The other side of a language server's wire: the conversation with one client, for who plays the server.
 *
 * Invariant: when the client is gone, `ended` resolves, every question put to it fails at once and every
 * question of its own is aborted.
 */
import type { Duplex } from 'node:stream';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { isRecord } from '../base/record.ts';
import { Rpc, type RpcHandlers } from './internal/rpc.ts';
import type { AppliedEdit } from './server-options.ts';

/** Answers a client. A thrown Failure reaches it under its own name. */
export type ClientHandlers = RpcHandlers;

export class ClientConnection implements Disposable {
  /** Resolves, never rejects, when the client has hung up or was hung up on. */
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

  /** Has the client carry an edit out; its answer has a place for the reason why not. */
  async applyEdit(edit: unknown, signal: AbortSignal): Promise<AppliedEdit> {
    const answer = await this.request('workspace/applyEdit', { edit }, signal);
    const { applied, failureReason } = isRecord(answer) ? answer : {};
    return { applied: applied === true, ...(typeof failureReason === 'string' && { failureReason }) };
  }

  /** Hangs up. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rpc.close(new ClientGone());
    this.#stream.destroy();
  }
}

/** Whoever asked has hung up; nobody is left to be told. */
class ClientGone extends Failure {
  readonly code = 'lsp/client-gone';
  readonly remedy = 'Connect again.';

  constructor() {
    super('the client has hung up');
  }
}
