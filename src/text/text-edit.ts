import { splitsCharacter } from './internal/character.ts';
import { LineIndex } from './line-index.ts';
import type { Range } from './range.ts';
import { applyChange, type Change, normaliseChange, type Splice } from './splice.ts';

/**
 * Edits addressed by position, to and from the algebra of splices.
 *
 * Invariant: every edit written here begins and ends where a position can point: never inside a surrogate
 * pair or a `\r\n`.
 */

/** One replacement addressed by position, as LSP writes it. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** The text after all edits, which are addressed in the text as given. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return applyChange(text, toChange(new LineIndex(text), edits));
}

/** The edits as a Change; insertions at one place keep the order they are given in. */
export function toChange(index: LineIndex, edits: readonly TextEdit[]): Change {
  return normaliseChange(
    edits.map(({ range, newText }) => ({
      start: index.offsetAt(range.start),
      end: index.offsetAt(range.end),
      text: newText,
    })),
  );
}

/** The change as edits of the indexed text. */
export function toTextEdits(index: LineIndex, change: Change): TextEdit[] {
  return addressable(index.text, change).map(({ start, end, text }) => ({
    range: { start: index.positionAt(start), end: index.positionAt(end) },
    newText: text,
  }));
}

/** The same change with every splice that begins or ends inside a character or a `\r\n` widened to its whole. */
function addressable(text: string, change: Change): Splice[] {
  const splices: Splice[] = [];
  for (const splice of change) {
    const last = splices.at(-1);
    // Two splices that meet inside one character would overlap once widened.
    if (last && last.end === splice.start && splitsCharacter(text, splice.start)) {
      splices.splice(-1, 1, { start: last.start, end: splice.end, text: last.text + splice.text });
    } else splices.push(splice);
  }
  return splices.map(({ start, end, text: inserted }) => {
    const head = splitsCharacter(text, start) ? text.charAt(start - 1) : '';
    const tail = splitsCharacter(text, end) ? text.charAt(end) : '';
    return { start: start - head.length, end: end + tail.length, text: head + inserted + tail };
  });
}
