/**
 * The algebra of changes, against which the laws of `text/splice.ts` and `text/diff.ts` are tested.
 *
 * Invariant: every function here returns a Change as `normaliseChange` would.
 */
import type { Change, Splice } from '../../../src/text/text-edit.ts';

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
