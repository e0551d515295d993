/**
 * Which elements of two sequences correspond: Myers' shortest edit script under a fixed budget.
 *
 * When two stretches are too different for the budget they are cut at the elements that occur exactly once
 * in both, and what has no such element is left unmatched.
 *
 * Invariant: partners are equal elements, and they never cross.
 */

/** For each element of `a` the index of its partner in `b`, or -1. */
export function matchSequences(a: Int32Array, b: Int32Array): Int32Array {
  const matcher = new SequenceMatcher(a, b);
  matcher.match({ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length });
  return matcher.partners;
}

/** The most differences one search looks for; its memory grows with the square. */
const MAX_DISTANCE = 1200;

/** The most diagonals all searches of one comparison may visit, whatever the sequences. */
const MAX_VISITS = 4_000_000;

interface Window {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

class SequenceMatcher {
  readonly partners: Int32Array;
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  #visitsLeft = MAX_VISITS;

  constructor(a: Int32Array, b: Int32Array) {
    this.#a = a;
    this.#b = b;
    this.partners = new Int32Array(a.length).fill(-1);
  }

  match(window: Window): void {
    const inner = this.#trim(window);
    if (inner.aStart === inner.aEnd || inner.bStart === inner.bEnd) return;
    if (this.#search(inner)) return;
    for (const gap of this.#cutAtUniqueElements(inner)) this.match(gap);
  }

  #trim({ aStart, aEnd, bStart, bEnd }: Window): Window {
    while (aStart < aEnd && bStart < bEnd && this.#a[aStart] === this.#b[bStart]) {
      this.partners[aStart++] = bStart++;
    }
    while (aStart < aEnd && bStart < bEnd && this.#a[aEnd - 1] === this.#b[bEnd - 1]) {
      this.partners[--aEnd] = --bEnd;
    }
    return { aStart, aEnd, bStart, bEnd };
  }

  /** Myers' greedy search; false when the budget ends before a script is found. */
  #search(window: Window): boolean {
    const { aStart, aEnd, bStart, bEnd } = window;
    const most = Math.min(aEnd - aStart + (bEnd - bStart), MAX_DISTANCE);
    const middle = most + 1;
    const furthest = new Int32Array(2 * most + 3);
    const trace: Int32Array[] = [];
    for (let distance = 0; distance <= most; distance += 1) {
      this.#visitsLeft -= distance + 1;
      if (this.#visitsLeft < 0) return false;
      if (this.#extendPaths(window, furthest, distance)) {
        this.#walkBack(window, trace);
        return true;
      }
      trace.push(furthest.slice(middle - distance, middle + distance + 1));
    }
    return false;
  }

  /** Extends the furthest path of every diagonal by one difference; true once a path reaches the end of both. */
  #extendPaths({ aStart, aEnd, bStart, bEnd }: Window, furthest: Int32Array, distance: number): boolean {
    const aLength = aEnd - aStart;
    const bLength = bEnd - bStart;
    const middle = furthest.length >> 1;
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const below = furthest[middle + diagonal + 1] ?? 0;
      const left = furthest[middle + diagonal - 1] ?? 0;
      let x = diagonal === -distance || (diagonal !== distance && left < below) ? below : left + 1;
      let y = x - diagonal;
      while (x < aLength && y < bLength && this.#a[aStart + x] === this.#b[bStart + y]) {
        x += 1;
        y += 1;
      }
      furthest[middle + diagonal] = x;
      if (x >= aLength && y >= bLength) return true;
    }
    return false;
  }

  /** Follows the trace from the end to the start and notes the elements met on diagonals. */
  #walkBack({ aStart, aEnd, bStart, bEnd }: Window, trace: readonly Int32Array[]): void {
    let x = aEnd - aStart;
    let y = bEnd - bStart;
    for (let distance = trace.length; distance > 0; distance -= 1) {
      const row = trace[distance - 1] ?? new Int32Array();
      const reach = (diagonal: number): number => row[diagonal + distance - 1] ?? 0;
      const diagonal = x - y;
      const cameDown =
        diagonal === -distance || (diagonal !== distance && reach(diagonal - 1) < reach(diagonal + 1));
      const previous = cameDown ? diagonal + 1 : diagonal - 1;
      const previousX = reach(previous);
      const previousY = previousX - previous;
      while (x > previousX && y > previousY) this.partners[aStart + --x] = bStart + --y;
      x = previousX;
      y = previousY;
    }
    while (x > 0) this.partners[aStart + --x] = bStart + --y;
  }

  /** Matches the longest run of once-only elements in rising order and returns the windows between them. */
  #cutAtUniqueElements(window: Window): Window[] {
    const gaps: Window[] = [];
    let { aStart, bStart } = window;
    for (const [aAt, bAt] of longestRising(this.#uniquePairs(window))) {
      this.partners[aAt] = bAt;
      gaps.push({ aStart, aEnd: aAt, bStart, bEnd: bAt });
      aStart = aAt + 1;
      bStart = bAt + 1;
    }
    if (gaps.length > 0) gaps.push({ aStart, aEnd: window.aEnd, bStart, bEnd: window.bEnd });
    return gaps;
  }

  #uniquePairs({ aStart, aEnd, bStart, bEnd }: Window): Pair[] {
    const inA = onlyPlaces(this.#a, aStart, aEnd);
    const inB = onlyPlaces(this.#b, bStart, bEnd);
    const pairs: Pair[] = [];
    for (const [element, aAt] of inA) {
      const bAt = inB.get(element);
      if (aAt !== REPEATED && bAt !== undefined && bAt !== REPEATED) pairs.push([aAt, bAt]);
    }
    return pairs.sort((one, other) => one[0] - other[0]);
  }
}

type Pair = readonly [aAt: number, bAt: number];

const REPEATED = -1;

function onlyPlaces(sequence: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = start; at < end; at += 1) {
    const element = sequence[at] ?? 0;
    places.set(element, places.has(element) ? REPEATED : at);
  }
  return places;
}

/** The longest selection of pairs (sorted by their first place) whose second places rise. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly previous: Link | undefined;
  }
  const tails: Link[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    tails[low] = { pair, previous: tails[low - 1] };
  }
  const rising: Pair[] = [];
  for (let link = tails.at(-1); link; link = link.previous) rising.push(link.pair);
  return rising.reverse();
}
