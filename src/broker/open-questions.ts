/** Counts the client requests in progress, and lets a caller wait until there are none. */
import { abortable } from '../base/deadline.ts';

export class OpenQuestions {
  #count = 0;
  #waiting: Array<() => void> = [];

  /** Counts one more until it is disposed. */
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
