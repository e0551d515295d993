/**
 * Looks at something that changes, for many callers at once.
 *
 * Invariant: what a caller gets was looked at after it asked. All that ask while a look is under way share the next one.
 */
export class SharedLooks<T> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<T>>();

  next(key: string, look: () => Promise<T>): Promise<T> {
    const waiting = this.#next.get(key);
    if (waiting) return waiting;
    const before = this.#running.get(key) ?? Promise.resolve();
    const mine = before.then(() => {
      this.#next.delete(key);
      const running = look();
      const ended = running.then(
        () => undefined,
        () => undefined,
      );
      this.#running.set(key, ended);
      return running;
    });
    this.#next.set(key, mine);
    return mine;
  }
}
