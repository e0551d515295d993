/**
 * Waits until something has stopped happening.
 *
 * Invariant: however often it is poked, the work is done once per lull, and never after it was disposed.
 */
export class Debounce implements Disposable {
  readonly #quietMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(quietMs: number, work: () => void) {
    this.#quietMs = quietMs;
    this.#work = work;
  }

  poke(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#work, this.#quietMs);
    // Nobody stays alive only to tell what nobody may hear any more.
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
