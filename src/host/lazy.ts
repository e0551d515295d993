/**
 * A value that is built when it is first needed.
 *
 * Invariants: it is built at most once, a failed attempt included. Disposing it disposes what was built, and builds
 * nothing.
 */
export class Lazy<T extends AsyncDisposable> implements AsyncDisposable {
  readonly #build: () => Promise<T>;
  #built: Promise<T> | undefined;

  constructor(build: () => Promise<T>) {
    this.#build = build;
  }

  readonly get = (): Promise<T> => {
    this.#built ??= this.#build();
    return this.#built;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    // A value that could not be built has failed in `get`, and there is nothing to dispose.
    const built = await this.#built?.catch(() => undefined);
    await built?.[Symbol.asyncDispose]();
  }
}
