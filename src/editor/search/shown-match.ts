/**
 * Matches as a page lists them: where they stand, and the lines they stand in.
 *
 * Invariant: no line that is sent is longer than the limit; the match, or its beginning, is always in it.
 */
import type { FoundMatch, ShownLine } from '../protocol/search.ts';
import type { TextMatch } from './expression-worker.ts';

const longestLine = 240;
/** How much of a long line is shown before the match. */
const leadIn = 60;

/** The lines of a text that is asked for from its beginning to its end. */
export class ShownLines {
  readonly #text: string;
  #line = 0;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** A match that does not begin before the last one. */
  shown({ start, end }: TextMatch): FoundMatch {
    const from = this.#position(start);
    const line = { number: this.#line, start: this.#start };
    const to = this.#position(end);
    // The next match may begin on the line that this one begins on.
    this.#line = line.number;
    this.#start = line.start;
    const lineEnd = this.#endOfLine(line.start);
    const above = line.start === 0 ? undefined : this.#lineBefore(line.start);
    const below = lineEnd >= this.#text.length ? undefined : this.#lineFrom(lineEnd + 1);
    return {
      range: { start: from, end: to },
      line: cutAround(
        this.#text.slice(line.start, lineEnd),
        start - line.start,
        Math.min(end, lineEnd) - line.start,
      ),
      ...(above !== undefined && { above }),
      ...(below !== undefined && { below }),
    };
  }

  #position(offset: number): { line: number; character: number } {
    for (;;) {
      const end = this.#text.indexOf('\n', this.#start);
      if (end < 0 || end >= offset) return { line: this.#line, character: offset - this.#start };
      this.#line += 1;
      this.#start = end + 1;
    }
  }

  #endOfLine(start: number): number {
    const end = this.#text.indexOf('\n', start);
    return end < 0 ? this.#text.length : end;
  }

  #lineBefore(start: number): string {
    const before = start < 2 ? 0 : this.#text.lastIndexOf('\n', start - 2) + 1;
    return this.#text.slice(before, Math.min(start - 1, before + longestLine));
  }

  #lineFrom(start: number): string {
    return this.#text.slice(start, Math.min(this.#endOfLine(start), start + longestLine));
  }
}

function cutAround(line: string, from: number, to: number): ShownLine {
  if (line.length <= longestLine) return { text: line, from, to };
  const begin = Math.max(0, from - leadIn);
  const text = line.slice(begin, begin + longestLine);
  return { text, from: from - begin, to: Math.min(to - begin, text.length) };
}
