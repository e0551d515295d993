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
