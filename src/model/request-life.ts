/**
 * The signal of one request. `fetch` keeps its listener for as long as the request is in memory, so a conversation that
 * gave all of them its own signal would gather one for each.
 *
 * Invariant: disposing it leaves no listener with the caller.
 */
import { onAbort } from '../base/deadline.ts';

export class RequestLife implements Disposable {
  readonly #controller = new AbortController();
  readonly #leave: () => void;

  constructor(caller: AbortSignal) {
    const forward = (): void => this.#controller.abort(caller.reason);
    if (caller.aborted) forward();
    this.#leave = onAbort(caller, forward);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#leave();
  }
}
