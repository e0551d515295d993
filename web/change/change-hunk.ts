/**
 * The places where a text differs from the last commit, by line.
 *
 * Invariant: reverting every place, the last one first, gives exactly the committed text.
 */
import { compareLines, type LineHunk } from '../../src/text/diff.ts';

export interface ChangedPlace {
  readonly kind: 'added' | 'changed' | 'removed';
  /** Lines of the present text, zero-based; none where lines only went. */
  readonly firstLine: number;
  readonly endLine: number;
  /** The same as offsets. */
  readonly from: number;
  readonly to: number;
  /** The committed lines, with their ends. */
  readonly old: string;
}

export function changedPlaces(committed: string, text: string): readonly ChangedPlace[] {
  const [before, now] = [bordersOf(committed), bordersOf(text)];
  return compareLines(committed, text).map((hunk) => {
    const { oldStart, oldEnd, newStart, newEnd } = hunk;
    return {
      kind: kindOf(hunk),
      firstLine: newStart,
      endLine: newEnd,
      from: now[newStart] ?? text.length,
      to: now[newEnd] ?? text.length,
      old: committed.slice(before[oldStart] ?? committed.length, before[oldEnd] ?? committed.length),
    };
  });
}

/** The place at a line; lines that went belong to the line after them, at the end of the text to the last one. */
export function placeAt(
  places: readonly ChangedPlace[],
  line: number,
  lines: number,
): ChangedPlace | undefined {
  return places.find(({ firstLine, endLine }) => {
    const first = Math.min(firstLine, lines - 1);
    return line >= first && line < Math.max(endLine, first + 1);
  });
}

/** The next place after a line, or the one before it; around the ends of the text. */
export function stepPlace(
  places: readonly ChangedPlace[],
  line: number,
  by: 1 | -1,
): ChangedPlace | undefined {
  if (by === 1) return places.find(({ firstLine }) => firstLine > line) ?? places[0];
  return places.findLast(({ firstLine }) => firstLine < line) ?? places.at(-1);
}

function kindOf({ oldStart, oldEnd, newStart, newEnd }: LineHunk): ChangedPlace['kind'] {
  if (oldStart === oldEnd) return 'added';
  return newStart === newEnd ? 'removed' : 'changed';
}

/** Where each line begins. */
function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) borders.push(at + 1);
  return borders;
}
