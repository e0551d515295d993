/**
 * Shows on standard error what a command is waiting for.
 *
 * Invariant: on a terminal it is one line that is gone at the end. Elsewhere every message is a line of its own, the
 * first after a second and no two close together, so that a quick command prints none and a log is not flooded.
 */
export class StatusLine implements Disposable {
  readonly #stream: NodeJS.WriteStream;
  #isShown = false;
  #pending: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = performance.now() + firstLineMs;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(message: string): void {
    if (this.#stream.isTTY === true) {
      this.#stream.write(`\r\u001b[2K${message} …`);
      this.#isShown = true;
      return;
    }
    this.#pending = message;
    this.#timer ??= setTimeout(() => this.#printLine(), Math.max(0, this.#dueAt - performance.now())).unref();
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[2K');
    this.#isShown = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = undefined;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #printLine(): void {
    this.#timer = undefined;
    if (this.#pending === undefined) return;
    this.#stream.write(`forerun: ${this.#pending} …\n`);
    this.#pending = undefined;
    this.#dueAt = performance.now() + nextLineMs;
  }
}

const firstLineMs = 1000;
const nextLineMs = 5000;
