/**
 * An event that happens more than once, and its listeners.
 *
 * Invariant: a listener that throws does not keep the value from the others.
 */
import { onAbort } from './deadline.ts';

export class Channel<T> {
  readonly #listeners = new Set<(value: T) => void>();

  subscribe(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(value: T): void {
    let failure: unknown;
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (thrown) {
        failure ??= thrown;
      }
    }
    if (failure !== undefined) throw failure;
  }
}

/** The next value that is emitted. */
export function nextOf<T>(channel: Channel<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const end = (): void => {
      subscription[Symbol.dispose]();
      leave();
    };
    const leave = onAbort(signal, () => {
      end();
      reject(signal.reason);
    });
    const subscription = channel.subscribe((value) => {
      end();
      resolve(value);
    });
  });
}
