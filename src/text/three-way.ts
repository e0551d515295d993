/**
 * Two texts that grew from one, brought together line by line.
 *
 * Invariants: the `disk` sides of all places in order are the first text, the `mine` sides the second, the `base`
 * sides the common origin. A place that both sides changed in the same way is no conflict.
 */
import { compareLines, type LineHunk } from './diff.ts';

export type MergedPlace =
  | { readonly kind: 'same'; readonly text: string }
  /** Changed by one side only, or by `both` in different ways. */
  | {
      readonly kind: 'disk' | 'mine' | 'both';
      readonly base: string;
      readonly disk: string;
      readonly mine: string;
    };

export interface ThreeTexts {
  readonly base: string;
  readonly disk: string;
  readonly mine: string;
}

/** The places where the texts differ, and those between them where they do not. */
export function placesBetween({ base, disk, mine }: ThreeTexts): readonly MergedPlace[] {
  const lines = { base: linesOf(base), disk: linesOf(disk), mine: linesOf(mine) };
  const ours = new Walk(compareLines(base, disk));
  const theirs = new Walk(compareLines(base, mine));
  const places: MergedPlace[] = [];
  let at = 0;
  while (at < lines.base.length || !ours.isDone || !theirs.isDone) {
    const start = Math.min(ours.next, theirs.next, lines.base.length);
    if (start > at) places.push({ kind: 'same', text: lines.base.slice(at, start).join('') });
    at = start;
    if (ours.isDone && theirs.isDone) break;
    const end = endOfPlace(ours, theirs, at);
    const place = {
      base: lines.base.slice(at, end).join(''),
      disk: lines.disk.slice(...ours.take(at, end)).join(''),
      mine: lines.mine.slice(...theirs.take(at, end)).join(''),
    };
    places.push(placeOf(place));
    at = end;
  }
  return places;
}

/** The text in which every place that one side changed is taken; undefined if both changed one. */
export function mergedText(places: readonly MergedPlace[]): string | undefined {
  if (places.some(({ kind }) => kind === 'both')) return undefined;
  return places.map((place) => (place.kind === 'same' ? place.text : chosen(place))).join('');
}

function chosen(place: Exclude<MergedPlace, { readonly kind: 'same' }>): string {
  return place.kind === 'mine' ? place.mine : place.disk;
}

function placeOf(place: ThreeTexts): MergedPlace {
  const { base, disk, mine } = place;
  if (disk === mine) return { kind: 'same', text: disk };
  if (disk === base) return { kind: 'mine', ...place };
  return { kind: mine === base ? 'disk' : 'both', ...place };
}

/** Grows the place until no hunk of either side begins inside it and ends outside it. */
function endOfPlace(ours: Walk, theirs: Walk, start: number): number {
  let end = start;
  for (;;) {
    const grown = Math.max(end, ours.reach(start, end), theirs.reach(start, end));
    if (grown === end) return end;
    end = grown;
  }
}

/** The hunks of one side, walked in step with the lines of the base. */
class Walk {
  readonly #hunks: readonly LineHunk[];
  #index = 0;
  /** How far the side's lines are ahead of those of the base. */
  #shift = 0;

  constructor(hunks: readonly LineHunk[]) {
    this.#hunks = hunks;
  }

  get isDone(): boolean {
    return this.#index >= this.#hunks.length;
  }

  /** The line of the base at which the next hunk begins. */
  get next(): number {
    return this.#hunks[this.#index]?.oldStart ?? Number.POSITIVE_INFINITY;
  }

  /** Where the last hunk ends that begins in, or directly at the end of, a stretch of the base. */
  reach(start: number, end: number): number {
    const inside = this.#hunks
      .slice(this.#index)
      .filter(({ oldStart }) => oldStart >= start && oldStart <= end);
    return Math.max(end, ...inside.map(({ oldEnd }) => oldEnd));
  }

  /** The lines of this side for a stretch of the base, whose hunks are then done. */
  take(start: number, end: number): [number, number] {
    const from = start + this.#shift;
    for (; !this.isDone && this.next <= end; this.#index += 1) {
      const hunk = this.#hunks[this.#index];
      if (hunk) this.#shift += hunk.newEnd - hunk.newStart - (hunk.oldEnd - hunk.oldStart);
    }
    return [from, end + this.#shift];
  }
}

/** Lines with what ends them. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
