/**
 * Runs code that may not terminate, such as a regular expression with catastrophic backtracking.
 *
 * Invariant: the code ends within its time limit or is terminated.
 */
import { type Context, createContext, Script } from 'node:vm';

export class BoundedRun {
  readonly #context: Context;
  readonly #script = new Script('work()');
  readonly #holder: { work: () => void } = { work: () => {} };

  constructor() {
    this.#context = createContext(this.#holder);
  }

  /** Undefined if the time limit was reached. */
  within<T>(timeoutMs: number, work: () => T): { readonly value: T } | undefined {
    let answer: { readonly value: T } | undefined;
    this.#holder.work = () => {
      answer = { value: work() };
    };
    try {
      this.#script.runInContext(this.#context, { timeout: timeoutMs });
    } catch (thrown) {
      if (isTimeout(thrown)) return undefined;
      throw thrown;
    }
    return answer;
  }
}

/** The error comes from another realm, so `instanceof` does not work. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
