/**
 * A line on a terminal that shows what the command is waiting for.
 *
 * Invariant: it writes nothing to anything but a terminal, and leaves nothing behind on a terminal.
 */
export class StatusLine implements Disposable {
  readonly #stream: NodeJS.WriteStream;
  #isShown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(message: string): void {
    if (this.#stream.isTTY !== true) return;
    this.#stream.write(`\r\u001b[2K${message} …`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[2K');
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
