/**
 * The callers waiting for a server of a pool, in order of arrival.
 *
 * Invariant: every waiter is served, fails, or leaves the queue when its own signal aborts.
 */
import { onAbort } from '../../base/deadline.ts';

interface Waiter<Offer> {
  readonly serve: (offer: Offer) => void;
  readonly fail: (thrown: unknown) => void;
}

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
