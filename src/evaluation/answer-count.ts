/** How many files have answered in one check, of those that its servers were asked about. */
export class AnswerCount {
  readonly #onAnswered: (answered: number, of: number) => void;
  #answered = 0;
  #of = 0;

  constructor(onAnswered: (answered: number, of: number) => void) {
    this.#onAnswered = onAnswered;
  }

  /** A server is asked about so many files. */
  expect(files: number): void {
    this.#of += files;
  }

  readonly answered = (): void => {
    this.#answered += 1;
    // Configuration files answer too, though none was asked about.
    if (this.#answered <= this.#of) this.#onAnswered(this.#answered, this.#of);
  };
}
