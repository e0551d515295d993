/**
 * Which neighbouring UTF-16 units belong together.
 *
 * Invariant: no edit made in this folder begins or ends between two units that belong together.
 */
export function belongTogether(code: number, next: number): boolean {
  if (code === CARRIAGE_RETURN) return next === LINE_FEED;
  return isHighSurrogate(code) && isLowSurrogate(next);
}

/** True when `offset` lies inside a surrogate pair. */
export function splitsSurrogatePair(text: string, offset: number): boolean {
  return (
    offset > 0 && isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1))
  );
}

/** True when `offset` lies inside a surrogate pair or between the two halves of a `\r\n`. */
export function splitsCharacter(text: string, offset: number): boolean {
  return offset > 0 && belongTogether(text.charCodeAt(offset - 1), text.charCodeAt(offset));
}

export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

export const CARRIAGE_RETURN = 0x0d;
export const LINE_FEED = 0x0a;
