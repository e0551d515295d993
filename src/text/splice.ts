import { Failure } from '../base/failure.ts';

/**
 * Edits addressed by offset, and their algebra.
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

/** The change that leads back: addressed in the text after `change`, it restores `text`. */
export function invertChange(text: string, change: Change): Change {
  let shift = 0;
  return change.map(({ start, end, text: inserted }) => {
    const from = start + shift;
    shift += inserted.length - (end - start);
    return { start: from, end: from + inserted.length, text: text.slice(start, end) };
  });
}

/** Both changes as one; `second` is addressed in the text that `first` leaves. */
export function composeChanges(first: Change, second: Change): Change {
  const middle = new MiddleText(first);
  let reached = 0;
  for (const { start, end, text } of second) {
    middle.take(start - reached, 'kept');
    middle.insert(text);
    middle.take(end - start, 'removed');
    reached = end;
  }
  return middle.finish();
}

/**
 * The same change for the text that `over` leaves; both are addressed in the same old text.
 *
 * What both remove is removed once. Where both insert at one place, the text of `first` comes first; an
 * insertion before a stretch the other replaces stays before it, one inside or behind comes behind it.
 */
export function rebaseChange(change: Change, over: Change, first: 'over' | 'change' = 'over'): Change {
  const mine = new ChangeReader(change);
  const theirs = new ChangeReader(over);
  const rebased = new ChangeWriter();
  while (!mine.isDone) {
    const [myRank, theirRank] = [mine.insertionRank, theirs.insertionRank];
    if (myRank < theirRank || (myRank === theirRank && myRank < NO_INSERTION && first === 'change')) {
      rebased.insert(mine.takeInsertion());
    } else if (theirRank < NO_INSERTION) {
      rebased.keep(theirs.takeInsertion().length);
    } else {
      const length = Math.min(mine.remaining, theirs.remaining);
      const [mineRemoves, theirsRemoves] = [mine.isRemoving, theirs.isRemoving];
      mine.advance(length);
      theirs.advance(length);
      if (theirsRemoves) continue;
      if (mineRemoves) rebased.remove(length);
      else rebased.keep(length);
    }
  }
  return rebased.finish();
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

/** Insertions go before the text of a replacement that starts at the same place; after both comes the rest. */
const PURE_INSERTION = 0;
const REPLACEMENT = 1;
const NO_INSERTION = 2;

/** Walks a change from left to right: its insertions, and how the old text between them fares. */
class ChangeReader {
  readonly #change: Change;
  #next = 0;
  #offset = 0;
  #insertionTaken = false;

  constructor(change: Change) {
    this.#change = change;
  }

  get isDone(): boolean {
    return this.#next >= this.#change.length;
  }

  /** What kind of insertion stands at this place, in the order they are written. */
  get insertionRank(): number {
    const splice = this.#change[this.#next];
    if (!splice || this.#insertionTaken || splice.start !== this.#offset) return NO_INSERTION;
    return splice.start === splice.end ? PURE_INSERTION : REPLACEMENT;
  }

  /** Whether the old text here goes; meaningful once the insertion here is taken. */
  get isRemoving(): boolean {
    return this.#insertionTaken;
  }

  /** How much old text fares the same from here on. */
  get remaining(): number {
    const splice = this.#change[this.#next];
    if (!splice) return Number.POSITIVE_INFINITY;
    return (this.#insertionTaken ? splice.end : splice.start) - this.#offset;
  }

  takeInsertion(): string {
    const splice = this.#change[this.#next];
    if (!splice) return '';
    if (splice.start === splice.end) this.#next += 1;
    else this.#insertionTaken = true;
    return splice.text;
  }

  advance(length: number): void {
    this.#offset += length;
    const splice = this.#change[this.#next];
    if (this.#insertionTaken && splice && this.#offset >= splice.end) {
      this.#next += 1;
      this.#insertionTaken = false;
    }
  }
}

/** Collects a change from left to right; pieces that touch become one splice. */
class ChangeWriter {
  readonly #splices: Splice[] = [];
  #start = 0;
  #end = 0;
  #text = '';

  keep(length: number): void {
    if (length <= 0) return;
    this.#flush();
    this.#start = this.#end += length;
  }

  remove(length: number): void {
    this.#end += length;
  }

  insert(text: string): void {
    this.#text += text;
  }

  finish(): Change {
    this.#flush();
    return this.#splices;
  }

  #flush(): void {
    if (this.#start !== this.#end || this.#text !== '') {
      this.#splices.push({ start: this.#start, end: this.#end, text: this.#text });
    }
    this.#text = '';
    this.#start = this.#end;
  }
}

/** The text between two changes, read once from left to right: what the second does to what the first left. */
class MiddleText {
  readonly #first: ChangeReader;
  readonly #composed = new ChangeWriter();
  #insertion = '';

  constructor(first: Change) {
    this.#first = new ChangeReader(first);
  }

  insert(text: string): void {
    this.#composed.insert(text);
  }

  take(length: number, fate: 'kept' | 'removed'): void {
    for (let left = length; left > 0; ) {
      this.#pullInsertion();
      left -= this.#insertion === '' ? this.#takeOld(left, fate) : this.#takeInserted(left, fate);
    }
  }

  /** The rest of the middle text stays as the first change left it. */
  finish(): Change {
    for (this.#pullInsertion(); this.#insertion !== '' || !this.#first.isDone; this.#pullInsertion()) {
      if (this.#insertion === '') this.#takeOld(this.#first.remaining, 'kept');
      else this.#takeInserted(this.#insertion.length, 'kept');
    }
    return this.#composed.finish();
  }

  /** Moves to the next piece that exists in the middle text, passing what the first change removed. */
  #pullInsertion(): void {
    while (this.#insertion === '' && (this.#first.isRemoving || this.#first.insertionRank < NO_INSERTION)) {
      if (!this.#first.isRemoving) this.#insertion = this.#first.takeInsertion();
      if (!this.#first.isRemoving) continue;
      const length = this.#first.remaining;
      this.#composed.remove(length);
      this.#first.advance(length);
    }
  }

  #takeInserted(atMost: number, fate: 'kept' | 'removed'): number {
    const piece = this.#insertion.slice(0, atMost);
    this.#insertion = this.#insertion.slice(piece.length);
    if (fate === 'kept') this.#composed.insert(piece);
    return piece.length;
  }

  #takeOld(atMost: number, fate: 'kept' | 'removed'): number {
    const length = Math.min(atMost, this.#first.remaining);
    this.#first.advance(length);
    if (fate === 'kept') this.#composed.keep(length);
    else this.#composed.remove(length);
    return length;
  }
}
