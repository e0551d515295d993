import { Failure } from '../base/failure.ts';

/**
 * Edits addressed by offset.
 *
 * Invariant: every function here returns a Change that is sorted and disjoint. Of several splices that start
 * at one offset only the last may remove something; the others are insertions, in the order they read.
 */

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
