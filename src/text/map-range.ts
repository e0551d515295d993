import { type LineIndex, type Range, splitsSurrogatePair } from './position.ts';
import { type Change, mapOffset } from './text-edit.ts';

/**
 * Where a range of the old text lies in the new one; undefined when the change altered what it covers.
 *
 * An edit that only touches a border leaves the range whole: text inserted at its start moves it, text
 * inserted at its end stays outside. An empty range moves behind what is inserted at it.
 *
 * Invariant: the range returned covers the same characters as the range given.
 */
export function mapRange(
  change: Change,
  before: LineIndex,
  after: LineIndex,
  range: Range,
): Range | undefined {
  const start = before.offsetAt(range.start);
  const end = before.offsetAt(range.end);
  if (change.some((splice) => splice.start < end && splice.end > start)) return undefined;
  const newStart = mapOffset(change, start, 'after');
  const newEnd = start === end ? newStart : mapOffset(change, end, 'before');
  // An insertion can make one character of two halves; a range that began between them is gone.
  if (splitsSurrogatePair(after.text, newStart) || splitsSurrogatePair(after.text, newEnd)) return undefined;
  return { start: after.positionAt(newStart), end: after.positionAt(newEnd) };
}
