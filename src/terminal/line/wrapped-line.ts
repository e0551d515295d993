/**
 * Wraps lines at the width of the terminal.
 *
 * Invariant: no line is wider than requested, unless a single character is; only blanks at a break are removed.
 */
import { charactersFrom } from './character.ts';
import { characterWidth } from './character-width.ts';
import type { Span, Style, StyledLine } from './styled-line.ts';

export interface WrapOptions {
  readonly columns: number;
  /** The prefix of every line but the first. */
  readonly hanging?: StyledLine;
  /** `words` breaks between words if possible, `characters` anywhere. */
  readonly at?: 'words' | 'characters';
}

export function wrapLine(spans: StyledLine, options: WrapOptions): readonly StyledLine[] {
  const wrapping = new Wrapping(options);
  for (const glyph of glyphsOf(spans)) wrapping.take(glyph);
  return wrapping.lines();
}

export function wrapLines(lines: readonly StyledLine[], options: WrapOptions): readonly StyledLine[] {
  return lines.flatMap((each) => wrapLine(each, options));
}

/** As much of a line as fits, with an ellipsis if it was cut. */
export function cutLine(spans: StyledLine, columns: number): StyledLine {
  const kept: Glyph[] = [];
  let width = 0;
  // Reads no more of the line than is shown: it may be a megabyte long.
  for (const glyph of glyphsFrom(spans)) {
    width += glyph.width;
    kept.push(glyph);
    if (width > columns) return cutGlyphs(kept, columns);
  }
  return spans;
}

function cutGlyphs(glyphs: readonly Glyph[], columns: number): StyledLine {
  let width = 0;
  const end = glyphs.findIndex((glyph) => {
    width += glyph.width;
    return width > columns - 1;
  });
  const kept = glyphs.slice(0, end);
  const styles = kept.at(-1)?.styles ?? [];
  return spansOf([...kept, { text: '…', width: 1, styles }]);
}

const widestCharacter = 2;

interface Glyph {
  readonly text: string;
  readonly width: number;
  readonly styles: readonly Style[];
}

class Wrapping {
  readonly #columns: number;
  readonly #hanging: readonly Glyph[];
  readonly #isByWord: boolean;
  readonly #done: StyledLine[] = [];
  #current: Glyph[] = [];
  #width = 0;
  /** The width of the indentation at the beginning of the current line. */
  #indent = 0;

  constructor({ columns, hanging = [], at = 'words' }: WrapOptions) {
    this.#columns = Math.max(1, columns);
    const hung = glyphsOf(hanging);
    // If the terminal is too narrow, the indentation is reduced; the widest character must fit after it.
    const most = Math.min(this.#columns / 2, this.#columns - widestCharacter);
    this.#hanging = widthOfGlyphs(hung) > most ? [] : hung;
    this.#isByWord = at === 'words';
  }

  take(glyph: Glyph): void {
    if (this.#width + glyph.width > this.#columns && this.#current.length > this.#indent) this.#break(glyph);
    if (this.#isByWord && glyph.text === ' ' && this.#isFresh()) return;
    this.#current.push(glyph);
    this.#width += glyph.width;
  }

  lines(): readonly StyledLine[] {
    return [...this.#done, spansOf(this.#current)];
  }

  /** Blanks are dropped after a break, never at the beginning of the text. */
  #isFresh(): boolean {
    return this.#done.length > 0 && this.#current.length === this.#indent;
  }

  #break(next: Glyph): void {
    const carried = this.#isByWord && next.text !== ' ' ? this.#wordBefore(next) : [];
    const kept = this.#current.slice(0, this.#current.length - carried.length);
    this.#done.push(spansOf(this.#isByWord ? trimmedEnd(kept, this.#indent) : kept));
    this.#current = [...this.#hanging, ...carried];
    this.#indent = this.#hanging.length;
    this.#width = widthOfGlyphs(this.#current);
  }

  /** The part after the last blank; empty if the line is one word. */
  #wordBefore(next: Glyph): readonly Glyph[] {
    const blank = this.#current.findLastIndex(({ text }, index) => text === ' ' && index >= this.#indent);
    if (blank < 0) return [];
    const isAllBlank = this.#current.slice(this.#indent, blank + 1).every(({ text }) => text === ' ');
    const word = this.#current.slice(blank + 1);
    // A word too long for the next line as well is broken here, not moved.
    const room = this.#columns - widthOfGlyphs(this.#hanging);
    return isAllBlank || widthOfGlyphs(word) + next.width > room ? [] : word;
  }
}

function trimmedEnd(glyphs: readonly Glyph[], from: number): readonly Glyph[] {
  let end = glyphs.length;
  while (end > from && glyphs[end - 1]?.text === ' ') end -= 1;
  return glyphs.slice(0, end);
}

function glyphsOf(spans: StyledLine): readonly Glyph[] {
  return [...glyphsFrom(spans)];
}

function* glyphsFrom(spans: StyledLine): Generator<Glyph> {
  for (const { text, styles } of spans) {
    for (const character of charactersFrom(text, 0)) {
      yield { text: character, width: characterWidth(character), styles };
    }
  }
}

function widthOfGlyphs(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { width }) => sum + width, 0);
}

function spansOf(glyphs: readonly Glyph[]): StyledLine {
  const spans: { text: string; styles: readonly Style[] }[] = [];
  for (const { text, styles } of glyphs) {
    const last = spans.at(-1);
    if (last && last.styles === styles) last.text += text;
    else spans.push({ text, styles });
  }
  return spans satisfies readonly Span[];
}
