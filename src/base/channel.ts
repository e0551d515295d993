/**
 * Something that happens more than once, and who listens to it.
 *
 * Invariant: a listener that throws does not keep the others from hearing.
 */
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
