/**
 * Runs a piece of work that may never end by itself, such as a regular expression that backtracks without end.
 *
 * Invariant: it ends within its time, or is ended.
 */
import { type Context, createContext, Script } from 'node:vm';

export class BoundedRun {
  readonly #context: Context;
  readonly #script = new Script('work()');
  readonly #holder: { work: () => void } = { work: () => {} };

  constructor() {
    this.#context = createContext(this.#holder);
  }

  /** Answers undefined where the time was not enough. */
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

/** What is thrown there is not of our own realm, so its class tells nothing. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
