/**
 * The pages that show this editor.
 *
 * Invariant: a page that loses its connection is still a page for a while, so that a reload or a sleeping machine does
 * not close what it had open; after that it is reported as closed, once.
 */
import { Channel } from '../base/channel.ts';

/** How long a page may be away before it counts as closed. */
const absenceMs = 60_000;

export class Pages implements Disposable {
  readonly closed = new Channel<string>();
  readonly #absenceMs: number;
  /** How many connections each page has. */
  readonly #connected = new Map<string, number>();
  readonly #absent = new Map<string, NodeJS.Timeout>();

  constructor(options: { readonly absenceMs?: number } = {}) {
    this.#absenceMs = options.absenceMs ?? absenceMs;
  }

  entered(page: string): void {
    clearTimeout(this.#absent.get(page));
    this.#absent.delete(page);
    this.#connected.set(page, (this.#connected.get(page) ?? 0) + 1);
  }

  left(page: string): void {
    const rest = (this.#connected.get(page) ?? 1) - 1;
    if (rest > 0) {
      this.#connected.set(page, rest);
      return;
    }
    this.#connected.delete(page);
    const close = (): void => {
      this.#absent.delete(page);
      this.closed.emit(page);
    };
    this.#absent.set(page, setTimeout(close, this.#absenceMs).unref());
  }

  /** The pages that are connected now. */
  get connected(): readonly string[] {
    return [...this.#connected.keys()];
  }

  [Symbol.dispose](): void {
    for (const timer of this.#absent.values()) clearTimeout(timer);
    this.#absent.clear();
  }
}
