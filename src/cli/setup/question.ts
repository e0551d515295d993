/**
 * Questions to a user at a terminal, each with a default answer for Enter.
 *
 * Invariant: end of input or Ctrl+C ends the question, and with it the command.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { NoAnswer } from './setup-failure.ts';

export class Questions implements Disposable {
  readonly #terminal: Interface;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#terminal = createInterface({ input: process.stdin, output: process.stdout });
    const left = new AbortController();
    this.#terminal.once('close', () => left.abort());
    this.#signal = AbortSignal.any([signal, left.signal]);
  }

  async confirm(question: string, byDefault: 'yes' | 'no'): Promise<boolean> {
    const answer = await this.text(`${question} ${byDefault === 'yes' ? '[Y/n]' : '[y/N]'}`);
    return answer === '' ? byDefault === 'yes' : /^y(es)?$/i.test(answer);
  }

  /** The index of the chosen item; asks again until the answer is valid. */
  async choose(question: string, choices: readonly string[]): Promise<number> {
    const list = choices.map((choice, index) => `  ${index + 1}  ${choice}`).join('\n');
    process.stdout.write(`${question}\n${list}\n`);
    for (;;) {
      const answer = await this.text(`1-${choices.length} [1]`);
      const place = answer === '' ? 1 : Number(answer);
      if (Number.isInteger(place) && place >= 1 && place <= choices.length) return place - 1;
    }
  }

  async text(question: string): Promise<string> {
    try {
      return (await this.#terminal.question(`${question} `, { signal: this.#signal })).trim();
    } catch (cause) {
      throw this.#signal.aborted ? new NoAnswer({ cause }) : cause;
    }
  }

  [Symbol.dispose](): void {
    this.#terminal.close();
  }
}
