/**
 * The last answers that a page may refer to again, by a name of ours.
 *
 * Invariant: a name is never used twice; an answer that is no longer kept is a failure, never another answer.
 */
import { UnknownPlan } from '../editor-failure.ts';

export class KeptAnswers<T> {
  readonly #word: string;
  readonly #most: number;
  readonly #answers = new Map<string, T>();
  #count = 0;

  constructor(word: string, most: number) {
    this.#word = word;
    this.#most = most;
  }

  keep(answer: T): string {
    this.#count += 1;
    const name = `${this.#word}-${this.#count}`;
    this.#answers.set(name, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest);
    return name;
  }

  get(name: string): T {
    const answer = this.#answers.get(name);
    if (answer === undefined) throw new UnknownPlan(name);
    return answer;
  }
}
