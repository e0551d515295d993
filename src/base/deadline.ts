/**
 * A time limit joined to the caller's signal.
 *
 * Invariant: disposing it leaves no timer and no listener behind.
 */
import { onAbort } from './abort-listener.ts';

export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #leave: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #expired = false;

  constructor(timeoutMs: number, caller: AbortSignal) {
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
    }, timeoutMs);
    const forward = (): void => this.#controller.abort(caller.reason);
    if (caller.aborted) forward();
    this.#leave = onAbort(caller, forward);
  }

  /** Aborts when the time is up or the caller gives up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the clock ended it, false while running or when the caller did. */
  get expired(): boolean {
    return this.#expired;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}
