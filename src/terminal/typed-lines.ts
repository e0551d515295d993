/**
 * The lines a user types, including those typed ahead.
 *
 * Invariant: no line is lost, and input is read in the order it was typed.
 */
import { pendingInputRead } from './pending-input.ts';

export class TypedLines {
  readonly #lines: AsyncIterator<string>;
  #kept: string[] = [];
  #next: Promise<string | undefined> | undefined;

  constructor(lines: AsyncIterator<string>) {
    this.#lines = lines;
  }

  /** The next line of input; undefined at the end. */
  async next(): Promise<string | undefined> {
    return this.#kept.shift() ?? (await this.#take());
  }

  /** Stores all lines typed so far for `next`. */
  async keepPending(): Promise<void> {
    for (;;) {
      const next = this.#peek();
      const typed = await Promise.race([next.then(() => 'typed'), pendingInputRead().then(() => 'nothing')]);
      if (typed === 'nothing' || (await next) === undefined) break;
      const line = await this.#take();
      if (line !== undefined) this.keep(line);
    }
  }

  /** The next line typed from now on, after `keepPending`; undefined at the end. */
  async nextTyped(): Promise<string | undefined> {
    return await this.#take();
  }

  /** Stores a line as later input. */
  keep(line: string): void {
    this.#kept.push(line);
  }

  #peek(): Promise<string | undefined> {
    this.#next ??= this.#lines.next().then(({ done, value }) => (done ? undefined : value));
    return this.#next;
  }

  async #take(): Promise<string | undefined> {
    const next = this.#peek();
    this.#next = undefined;
    return await next;
  }
}
