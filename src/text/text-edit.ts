/**
 * Edits addressed by position, as LSP writes them, and the algebra of splices, which are addressed by offset.
 *
 * Invariants: every edit written here begins and ends where a position can point: never inside a surrogate pair or a
 * `\r\n`. Every Change returned here is sorted and disjoint. Of several splices that start at one offset only the last may
 * remove something; the others are insertions, in the order they read.
 */
import { Failure } from '../base/failure.ts';
import { LineIndex, type Range, splitsCharacter } from './position.ts';

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

/** One replacement: the characters from `start` up to `end` (UTF-16 offsets in the old text) become `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacements made together: sorted, disjoint, all addressed in the old text. */
export type Change = readonly Splice[];

/** The text after the change. */
export function applyChange(text: string, change: Change): string {
  let result = '';
  let kept = 0;
  for (const splice of change) {
    if (splice.end > text.length) throw new EditOutOfRange(splice, text.length);
    result += text.slice(kept, splice.start) + splice.text;
    kept = splice.end;
  }
  return result + text.slice(kept);
}

/**
 * Where an offset of the old text lies in the new one.
 *
 * `bias` decides what the old text leaves open: at an insertion, `before` stays in front of it and `after`
 * comes behind; inside a removed stretch they are the two ends of what replaced it.
 */
export function mapOffset(change: Change, offset: number, bias: 'before' | 'after'): number {
  let shift = 0;
  for (const { start, end, text } of change) {
    if (start > offset) break;
    if (end > offset) {
      return start === offset || bias === 'before' ? start + shift : start + shift + text.length;
    }
    if (start === offset && bias === 'before') break;
    shift += text.length - (end - start);
  }
  return offset + shift;
}

/** Sorts splices into a Change; insertions at one offset keep the order they are given in. */
export function normaliseChange(splices: readonly Splice[]): Change {
  const change = splices.filter(({ start, end, text }) => start !== end || text !== '');
  for (const splice of change) {
    if (!(splice.start >= 0 && splice.start <= splice.end)) throw new ReversedEdit(splice);
  }
  change.sort((a, b) => a.start - b.start || Number(a.start !== a.end) - Number(b.start !== b.end));
  let previous: Splice | undefined;
  for (const splice of change) {
    if (previous && splice.start < previous.end) throw new OverlappingEdits(previous, splice);
    previous = splice;
  }
  return change;
}

export class OverlappingEdits extends Failure {
  readonly code = 'text/overlapping-edits';
  readonly remedy =
    'Edits made together are all addressed in the old text and must not overlap: merge them into one, or make them one after another.';

  constructor(first: Splice, second: Splice) {
    super(`the edit of ${span(first)} overlaps the edit of ${span(second)} (UTF-16 offsets)`);
  }
}

export class ReversedEdit extends Failure {
  readonly code = 'text/reversed-edit';
  readonly remedy = 'Give the start of the range first and its end second.';

  constructor(splice: Splice) {
    super(`an edit cannot reach from offset ${splice.start} back to ${splice.end}`);
  }
}

export class EditOutOfRange extends Failure {
  readonly code = 'text/edit-out-of-range';
  readonly remedy = 'Make the edit from the text it is applied to: it may have changed since.';

  constructor(splice: Splice, length: number) {
    super(`the edit of ${span(splice)} reaches past the end of a text of ${length} UTF-16 units`);
  }
}

function span({ start, end }: Splice): string {
  return `${start}–${end}`;
}
