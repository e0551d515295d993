/**
 * A person who presses anything at any time, except what would be an answer or an acceptance.
 *
 * Invariants: Tab is never pressed here; no Enter follows a letter that stands alone, which would answer a question; no
 * two Ctrl+C follow each other, which would leave the chat.
 */

import type { SeededRandom } from './seeded-random.ts';
import type { ShownTerminal } from './terminal-trial.ts';

const words = [
  'please',
  'yes please',
  'always',
  'no',
  'add a test',
  '日本語',
  '👩‍💻',
  'yy',
  '1',
  'y y y',
] as const;

const named = [
  '\u001b',
  '\u001b[A',
  '\u001b[B',
  '\u001b[C',
  '\u001b[D',
  '\u001b[3~',
  '\u001b[99;9Z',
  '\u001b\r',
  '\u007f',
  '\u0001',
  '\u0005',
  '\u000c',
  '\u000f',
  '\u0015',
  '\u0017',
] as const;

const pasted = ['y', 'a\r', 'y\ra\ry\r', 'one\ntwo\nthree', 'x'.repeat(5000), 'line\n'.repeat(300)] as const;

export class RandomKeys {
  readonly #shown: ShownTerminal;
  readonly #random: SeededRandom;
  /** Every chunk that was sent, so that a failing run can be repeated. */
  readonly sent: string[] = [];
  #isAfterLetter = false;
  #isAfterInterrupt = false;

  constructor(shown: ShownTerminal, random: SeededRandom) {
    this.#shown = shown;
    this.#random = random;
  }

  /** Presses a few of them, with the program running on in between. */
  async volley(): Promise<void> {
    const count = 1 + this.#random.below(6);
    for (let index = 0; index < count; index += 1) {
      this.#press();
      const turns = this.#random.below(12);
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Sends something that is no accident. */
  send(chunk: string): void {
    this.#isAfterLetter = false;
    this.#isAfterInterrupt = chunk.endsWith('\u0003');
    this.#write(chunk);
  }

  /** A letter that stands alone: one of those that would answer a question, if Enter followed. */
  letter(letter: string): void {
    this.#write(letter);
    this.#isAfterLetter = true;
    this.#isAfterInterrupt = false;
  }

  #press(): void {
    const random = this.#random;
    const kind = random.below(100);
    if (kind < 30) this.letter('yanqeryou'.charAt(random.below(9)));
    else if (kind < 45) this.#text(random.pick(words));
    else if (kind < 60) this.#enter();
    else if (kind < 80) this.#other(random.pick(named));
    else if (kind < 86) this.#interrupt();
    else if (kind < 94) this.#paste(random.pick(pasted));
    else this.#shown.resize(60 + random.below(60), 16 + random.below(24));
  }

  #text(text: string): void {
    this.#write(text);
    this.#isAfterLetter = false;
    this.#isAfterInterrupt = false;
  }

  #enter(): void {
    if (this.#isAfterLetter) this.#text('xx');
    this.#other('\r');
  }

  #other(chunk: string): void {
    this.#write(chunk);
    this.#isAfterInterrupt = false;
  }

  #interrupt(): void {
    if (this.#isAfterInterrupt) this.#text('zz');
    this.#write('\u0003');
    this.#isAfterInterrupt = true;
  }

  /** The marks of a paste may be cut anywhere. */
  #paste(text: string): void {
    const whole = `\u001b[200~${text}\u001b[201~`;
    const at = this.#random.happens(50) ? this.#random.below(whole.length) : whole.length;
    this.#text(whole.slice(0, at));
    if (at < whole.length) this.#text(whole.slice(at));
  }

  #write(chunk: string): void {
    this.sent.push(chunk);
    this.#shown.press(chunk);
  }
}
