/**
 * A lock that serves waiters in the order they came.
 *
 * Invariant: at most one holder; a waiter whose signal aborts leaves the queue and changes nothing.
 */
import { onAbort } from './deadline.ts';

export class FifoLock {
  readonly #waiting: Array<() => void> = [];
  #held = false;

  get isHeld(): boolean {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the lock is ours; disposing the holder hands it to the next waiter. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#held) await this.#turn(signal);
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

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        stopListening();
        resolve();
      };
      const stopListening = onAbort(signal, () => {
        const place = this.#waiting.indexOf(enter);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(signal.reason);
      });
      this.#waiting.push(enter);
    });
  }

  /** The lock stays held while it passes from hand to hand, so nobody can slip in between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }
}
