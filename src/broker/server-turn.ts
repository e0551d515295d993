/**
 * One client's turns on the servers of the pool.
 *
 * Overlapping requests of a client share a server; it is released when none is open any more or, if another client
 * waits, as soon as the open ones are answered.
 *
 * Invariants: a request is sent to a server that shows the view it was made in; requests start in order; while a
 * client has a server, no other client's documents are shown on it.
 */

import { abortable } from '../base/deadline.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Replica } from '../servers/pool/replica.ts';
import type { AcquiredReplica } from '../servers/pool/server-pool.ts';
import type { View } from './client-view.ts';

interface TurnOptions {
  readonly live: LiveWorkspace;
  readonly acquire: (signal: AbortSignal) => Promise<AcquiredReplica>;
  /** Called with what a replica shows, before any request is sent to it. */
  readonly onShown: (replica: Replica, view: View) => void;
}

export class ServerTurn {
  readonly #options: TurnOptions;
  /** Serializes the start of requests, in order. */
  readonly #entrance = new FifoLock();
  /** Serializes changes of what the server shows. */
  readonly #stage = new FifoLock();
  #held: AcquiredReplica | undefined;
  #open = 0;
  #whenEmpty: (() => void) | undefined;
  #shown: { readonly view: View; readonly epoch: number } | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Runs `ask` on a server that shows `view`. */
  async ask<T>(view: View, ask: (replica: Replica) => Promise<T>, signal: AbortSignal): Promise<T> {
    const asked = await this.#start(view, ask, signal);
    try {
      return await asked.answer;
    } finally {
      this.#leave();
    }
  }

  /** Shows another view on the server that a request of this client is open on. */
  async show(view: View, signal: AbortSignal): Promise<void> {
    using _ = await this.#stage.acquire(signal);
    if (this.#held) await this.#show(this.#held.replica, view);
  }

  /** The promise is wrapped in an object; otherwise awaiting the start would await the answer. */
  async #start<T>(
    view: View,
    ask: (replica: Replica) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ readonly answer: Promise<T> }> {
    using _entered = await this.#entrance.acquire(signal);
    const { replica } = await this.#enter(signal);
    try {
      using _staged = await this.#stage.acquire(signal);
      await this.#show(replica, view);
      return { answer: ask(replica) };
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  async #enter(signal: AbortSignal): Promise<AcquiredReplica> {
    const { live, acquire } = this.#options;
    while (this.#held) {
      const isFree =
        this.#held.replica.server.isRunning && !live.servers.pools.some(({ waiting }) => waiting > 0);
      if (isFree) {
        this.#open += 1;
        return this.#held;
      }
      await abortable(new Promise<void>((resolve) => (this.#whenEmpty = resolve)), signal);
    }
    this.#held = await acquire(signal);
    this.#open = 1;
    return this.#held;
  }

  #leave(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#held?.release();
    this.#held = undefined;
    this.#shown = undefined;
    this.#whenEmpty?.();
    this.#whenEmpty = undefined;
  }

  async #show(replica: Replica, view: View): Promise<void> {
    const { live, onShown } = this.#options;
    const { epoch } = live.disk;
    if (this.#shown?.view === view && this.#shown.epoch === epoch) return;
    await replica.show(view.effect);
    this.#shown = { view, epoch };
    onShown(replica, view);
  }
}
