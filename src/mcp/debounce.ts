/**
 * Debounces work: it runs after a pause in the triggers.
 *
 * Invariant: the work runs once per pause, however often it is triggered, and never after disposal.
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
    // Do not keep the process alive for this timer.
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
