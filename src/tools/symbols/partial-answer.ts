/**
 * An answer of several parts, of which some may fail.
 *
 * Invariant: a part that failed is named in the metadata; it is never just empty.
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

  /** The result of `work`, or `otherwise` if the server failed. */
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

  /** The missing parts and their causes; empty if there are none. */
  get meta(): Readonly<Record<string, unknown>> {
    return this.#failed.size === 0 ? {} : { failed_parts: Object.fromEntries(this.#failed) };
  }
}
