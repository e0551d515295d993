/**
 * The signal of one request. `fetch` keeps its listener while the request is in memory, so passing the signal of a
 * conversation would add one listener per request.
 *
 * Invariant: disposal leaves no listener on the caller's signal.
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
