/**
 * Waiting that ends when a signal aborts or its time is up.
 *
 * Invariants: disposing a Deadline leaves no timer and no listener behind. A signal carries one listener of ours as long
 * as anything waits for it, and none after.
 */

/** A time limit joined to the caller's signal. */
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
    work.then(
      (result) => {
        leave();
        resolve(result);
      },
      (thrown: unknown) => {
        leave();
        reject(thrown);
      },
    );
  });
}

/**
 * Calls `received` when the signal aborts, until the returned function is called; never for a signal that has aborted
 * already. Any number may wait on one signal; Node would take more than ten listeners for a leak.
 */
export function onAbort(signal: AbortSignal, received: () => void): () => void {
  const crowd = crowds.get(signal) ?? gather(signal);
  // A new function for each call, so that one function may be registered twice.
  const listener = (): void => received();
  crowd.listeners.add(listener);
  return () => {
    if (crowd.listeners.delete(listener) && crowd.listeners.size === 0) crowd.disperse();
  };
}

interface Crowd {
  readonly listeners: Set<() => void>;
  disperse(): void;
}

const crowds = new WeakMap<AbortSignal, Crowd>();

function gather(signal: AbortSignal): Crowd {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    crowds.delete(signal);
    for (const listener of listeners) listener();
  };
  const disperse = (): void => {
    crowds.delete(signal);
    signal.removeEventListener('abort', tell);
  };
  const crowd = { listeners, disperse };
  crowds.set(signal, crowd);
  signal.addEventListener('abort', tell, { once: true });
  return crowd;
}
