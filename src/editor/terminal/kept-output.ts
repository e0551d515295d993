/**
 * The output of a terminal, of which the last part is kept.
 *
 * Invariants: offsets count from the first output on and never change. Where output was dropped, what is kept begins after a
 * line feed if there is one near, so that a replay does not begin inside an escape sequence.
 */

const keptCharacters = 400_000;
/** How much is dropped at once at least: a cut copies what is kept. */
const slack = 100_000;
const nearCharacters = 4_000;

export class KeptOutput {
  #text = '';
  #start = 0;

  get end(): number {
    return this.#start + this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length <= keptCharacters + slack) return;
    const least = this.#text.length - keptCharacters;
    const line = this.#text.indexOf('\n', least);
    const cut = line >= 0 && line < least + nearCharacters ? line + 1 : least;
    this.#text = this.#text.slice(cut);
    this.#start += cut;
  }

  /** What follows an offset, or all that is kept if that is less. */
  after(offset: number): { readonly start: number; readonly text: string } {
    const start = Math.min(Math.max(offset, this.#start), this.end);
    return { start, text: this.#text.slice(start - this.#start) };
  }
}
