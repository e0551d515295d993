/**
 * A time limit joined to the caller's signal.
 *
 * Invariant: disposing it leaves no timer and no listener behind.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #expired = false;

  constructor(timeoutMs: number, caller: AbortSignal) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
    }, timeoutMs);
    if (caller.aborted) this.#forward();
    else caller.addEventListener('abort', this.#forward, { once: true });
  }

  /** Aborts when the time is up or the caller gives up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the clock ended it, false while running or when the caller did. */
  get expired(): boolean {
    return this.#expired;
  }

  readonly #forward = (): void => {
    this.#controller.abort(this.#caller.reason);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#forward);
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
