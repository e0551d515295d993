/**
 * A value that is built on first use.
 *
 * Invariants: it is built at most once, also if that fails. Disposing it disposes the built value, and builds
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
    // If the build failed, `get` has thrown, and there is nothing to dispose.
    const built = await this.#built?.catch(() => undefined);
    await built?.[Symbol.asyncDispose]();
  }
}
