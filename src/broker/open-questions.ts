/** How many questions of clients are being answered, for who waits until there are none. */
import { abortable } from '../base/deadline.ts';

export class OpenQuestions {
  #count = 0;
  #waiting: Array<() => void> = [];

  /** One more, until it is disposed of. */
  open(): Disposable {
    this.#count += 1;
    return { [Symbol.dispose]: () => this.#close() };
  }

  whenNone(signal: AbortSignal): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return abortable(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
  }

  #close(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
