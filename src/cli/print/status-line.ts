/**
 * One line on a terminal that says what is being waited for.
 *
 * Invariant: on anything but a terminal it writes nothing, and on a terminal it leaves nothing behind.
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
