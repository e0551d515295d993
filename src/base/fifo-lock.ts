/**
 * A lock that serves waiters in the order they came, and the queue they wait in.
 *
 * Invariants: a lock has at most one holder. Every waiter is served, fails, or leaves the queue when its own signal
 * aborts, which changes nothing for the others.
 */
import { onAbort } from './deadline.ts';

export class FifoLock {
  readonly #waiters = new WaitQueue<void>();
  #held = false;

  get isHeld(): boolean {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Resolves when the lock is ours; disposing the holder hands it to the next waiter. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#held) await this.#waiters.join(() => {}, signal);
    this.#held = true;
    let released = false;
    return {
      [Symbol.dispose]: () => {
        if (released) return;
        released = true;
        this.#release();
      },
    };
  }

  /** The lock stays held while it passes from hand to hand, so nobody can slip in between. */
  #release(): void {
    if (this.#waiters.length > 0) this.#waiters.serveFirst();
    else this.#held = false;
  }
}

interface Waiter<Offer> {
  readonly serve: (offer: Offer) => void;
  readonly fail: (thrown: unknown) => void;
}

/** Callers that wait for an offer, in order of arrival. */
export class WaitQueue<Offer> {
  readonly #waiters: Waiter<Offer>[] = [];

  get length(): number {
    return this.#waiters.length;
  }

  /** Waits for an offer and resolves with the result of `take`. */
  join<T>(take: (offer: Offer) => T, signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Offer> = {
        serve: (offer) => {
          stopListening();
          resolve(take(offer));
        },
        fail: (thrown) => {
          stopListening();
          reject(thrown);
        },
      };
      const stopListening = onAbort(signal, () => {
        const place = this.#waiters.indexOf(waiter);
        if (place >= 0) this.#waiters.splice(place, 1);
        reject(signal.reason);
      });
      this.#waiters.push(waiter);
    });
  }

  serveFirst(offer: Offer): void {
    this.#waiters.shift()?.serve(offer);
  }

  failFirst(thrown: unknown): void {
    this.#waiters.shift()?.fail(thrown);
  }

  failAll(thrown: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.fail(thrown);
  }
}
