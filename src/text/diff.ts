import { matchSequences } from './internal/sequence-match.ts';
import { belongTogether } from './position.ts';
import type { Change, Splice } from './text-edit.ts';

/**
 * What turns one text into another.
 *
 * Invariant: applied to `before`, the answer gives exactly `after`; no edit begins or ends inside a surrogate
 * pair or a `\r\n`; the work is bounded however different the texts are.
 */

/**
 * Small edits that turn `before` into `after`: lines are compared first, then the characters of those that
 * differ. Where as many lines came as went, each is taken for the successor of the one in its place.
 */
export function diffText(before: string, after: string): Change {
  const old = new Lines(before);
  const next = new Lines(after);
  const change: Splice[] = [];
  const replace = (from: TextSlice, to: TextSlice): void => {
    const splice = trimmedSplice(from, to);
    if (splice) change.push(splice);
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of hunksBetween(old, next)) {
    if (oldEnd - oldStart !== newEnd - newStart) {
      replace(old.stretch(oldStart, oldEnd), next.stretch(newStart, newEnd));
      continue;
    }
    for (let line = oldStart; line < oldEnd; line += 1) {
      const successor = newStart + line - oldStart;
      replace(old.stretch(line, line + 1), next.stretch(successor, successor + 1));
    }
  }
  return change;
}

/** The one splice between the first and the last difference; undefined when the texts are equal. */
export function commonSplice(before: string, after: string): Splice | undefined {
  if (before === after) return undefined;
  return trimmedSplice(
    { text: before, start: 0, end: before.length },
    { text: after, start: 0, end: after.length },
  );
}

/** Lines `oldStart` up to `oldEnd` of the old text became lines `newStart` up to `newEnd` of the new one. */
export interface LineHunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The lines that differ. Only `\n` ends a line here, as in patches; a line includes what ends it. */
export function compareLines(before: string, after: string): LineHunk[] {
  return hunksBetween(new Lines(before), new Lines(after));
}

function hunksBetween(old: Lines, next: Lines): LineHunk[] {
  if (old.text === next.text) return [];
  const { prefix, suffix } = commonAffixes(old.whole, next.whole);
  const head = Math.min(old.linesWithin(prefix), next.linesWithin(prefix));
  const tail = Math.min(old.linesFrom(old.text.length - suffix), next.linesFrom(next.text.length - suffix));
  const partners = partnersBetween(old.slice(head, old.count - tail), next.slice(head, next.count - tail));
  const hunks: LineHunk[] = [];
  let oldStart = head;
  let newStart = head;
  const close = (oldEnd: number, newEnd: number): void => {
    if (oldStart < oldEnd || newStart < newEnd) hunks.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  };
  partners.forEach((partner, at) => {
    if (partner >= 0) close(head + at, head + partner);
  });
  close(old.count - tail, next.count - tail);
  return hunks;
}

/** For each old line the index of the new line it is equal to and paired with, or -1. */
function partnersBetween(old: readonly string[], next: readonly string[]): Int32Array {
  const partners = new Int32Array(old.length).fill(-1);
  const identities = new Map<string, number>();
  for (const line of next) if (!identities.has(line)) identities.set(line, identities.size);
  const shared = new Set<number>();
  const oldKept = keptLines(old, (line) => {
    const identity = identities.get(line);
    if (identity !== undefined) shared.add(identity);
    return identity;
  });
  const newKept = keptLines(next, (line) => {
    const identity = identities.get(line);
    return identity !== undefined && shared.has(identity) ? identity : undefined;
  });
  matchSequences(oldKept.identities, newKept.identities).forEach((partner, at) => {
    if (partner >= 0) partners[oldKept.places[at] ?? 0] = newKept.places[partner] ?? 0;
  });
  return partners;
}

interface KeptLines {
  readonly identities: Int32Array;
  readonly places: readonly number[];
}

/** Lines that only one side has can have no partner; without them the search stays small on rewrites. */
function keptLines(lines: readonly string[], identify: (line: string) => number | undefined): KeptLines {
  const identities: number[] = [];
  const places: number[] = [];
  lines.forEach((line, at) => {
    const identity = identify(line);
    if (identity === undefined) return;
    identities.push(identity);
    places.push(at);
  });
  return { identities: Int32Array.from(identities), places };
}

function trimmedSplice(from: TextSlice, to: TextSlice): Splice | undefined {
  let { prefix, suffix } = commonAffixes(from, to);
  if (prefix + suffix === from.end - from.start && prefix + suffix === to.end - to.start) return undefined;
  if (prefix > 0) {
    const last = from.text.charCodeAt(from.start + prefix - 1);
    const splits = ({ text, start, end }: TextSlice): boolean =>
      start + prefix < end && belongTogether(last, text.charCodeAt(start + prefix));
    if (splits(from) || splits(to)) prefix -= 1;
  }
  if (suffix > 0) {
    const first = from.text.charCodeAt(from.end - suffix);
    const splits = ({ text, start, end }: TextSlice): boolean =>
      end - suffix > start && belongTogether(text.charCodeAt(end - suffix - 1), first);
    if (splits(from) || splits(to)) suffix -= 1;
  }
  return {
    start: from.start + prefix,
    end: from.end - suffix,
    text: to.text.slice(to.start + prefix, to.end - suffix),
  };
}

/** A text cut after every `\n`. */
class Lines {
  readonly text: string;
  /** The offset of each line, then that of the end of the text. */
  readonly #borders: readonly number[];

  constructor(text: string) {
    this.text = text;
    const borders = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) borders.push(at + 1);
    if (borders.at(-1) !== text.length) borders.push(text.length);
    this.#borders = borders;
  }

  get count(): number {
    return this.#borders.length - 1;
  }

  get whole(): TextSlice {
    return this.stretch(0, this.count);
  }

  stretch(first: number, end: number): TextSlice {
    return { text: this.text, start: this.#borders[first] ?? 0, end: this.#borders[end] ?? 0 };
  }

  slice(first: number, end: number): string[] {
    const lines: string[] = [];
    for (let line = first; line < end; line += 1) {
      lines.push(this.text.slice(this.#borders[line], this.#borders[line + 1]));
    }
    return lines;
  }

  /** How many whole lines lie before `offset`. */
  linesWithin(offset: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#borders[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many whole lines begin at or after `offset`. */
  linesFrom(offset: number): number {
    const before = this.linesWithin(offset);
    return this.count - before - ((this.#borders[before] ?? 0) < offset ? 1 : 0);
  }
}

/**
 * How far two stretches of text agree from the front and from the back.
 *
 * Invariant: the prefix and the suffix never overlap in either stretch.
 */

/** A stretch of a text, named by its borders so that nothing is copied. */
export interface TextSlice {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface CommonAffixes {
  readonly prefix: number;
  readonly suffix: number;
}

export function commonAffixes(a: TextSlice, b: TextSlice): CommonAffixes {
  const shorter = Math.min(a.end - a.start, b.end - b.start);
  const prefix = commonPrefix(a, b, shorter);
  return { prefix, suffix: commonSuffix(a, b, shorter - prefix) };
}

/** Long stretches are compared in blocks, which the engine does a machine word at a time. */
const BLOCK = 2048;

function commonPrefix(a: TextSlice, b: TextSlice, limit: number): number {
  let length = 0;
  while (
    length + BLOCK <= limit &&
    a.text.slice(a.start + length, a.start + length + BLOCK) ===
      b.text.slice(b.start + length, b.start + length + BLOCK)
  ) {
    length += BLOCK;
  }
  while (length < limit && a.text.charCodeAt(a.start + length) === b.text.charCodeAt(b.start + length)) {
    length += 1;
  }
  return length;
}

function commonSuffix(a: TextSlice, b: TextSlice, limit: number): number {
  let length = 0;
  while (
    length + BLOCK <= limit &&
    a.text.slice(a.end - length - BLOCK, a.end - length) ===
      b.text.slice(b.end - length - BLOCK, b.end - length)
  ) {
    length += BLOCK;
  }
  while (length < limit && a.text.charCodeAt(a.end - length - 1) === b.text.charCodeAt(b.end - length - 1)) {
    length += 1;
  }
  return length;
}
