/**
 * A queue of events from a running job to one reader.
 *
 * Invariant: events are read in the order they were added, and none after the end.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #end: { readonly failure?: unknown } | undefined;
  #wake: (() => void) | undefined;

  readonly put = (event: T): void => {
    if (this.#end) return;
    this.#waiting.push(event);
    this.#wake?.();
  };

  /** Ends the queue. */
  close(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** Ends the queue with an error for the reader. */
  fail(failure: unknown): void {
    this.#end ??= { failure };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const ready = this.#waiting;
      this.#waiting = [];
      yield* ready;
      if (this.#waiting.length > 0) continue;
      if (this.#end) {
        if ('failure' in this.#end) throw this.#end.failure;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
