/**
 * An answer of several parts, some of which may fail without taking the others along.
 *
 * Invariant: a part that failed is named in the answer's metadata; it is never merely empty.
 */
import { Failure } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';

export class PartialAnswer {
  readonly #log: Log;
  readonly #caller: AbortSignal;
  readonly #failed = new Map<string, string>();

  constructor(log: Log, caller: AbortSignal) {
    this.#log = log;
    this.#caller = caller;
  }

  /** The outcome of `work`, or `otherwise` when the server could not do it. */
  async part<T>(name: string, otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (this.#caller.aborted || !(thrown instanceof Failure)) throw thrown;
      this.#log.debug('tool.part-failed', { part: name, code: thrown.code, error: thrown.message });
      this.#failed.set(name, thrown.message);
      return otherwise;
    }
  }

  /** What is missing and why; empty when nothing is. */
  get meta(): Readonly<Record<string, unknown>> {
    return this.#failed.size === 0 ? {} : { failed_parts: Object.fromEntries(this.#failed) };
  }
}
