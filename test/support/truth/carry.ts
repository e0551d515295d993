/**
 * Where a problem of an old text stands in a new one, found by comparing lines the slow and plain way, so
 * that it shares nothing with the code it is there to judge.
 *
 * Invariant: what stands outside every changed stretch moves with its surroundings; what stands inside one
 * keeps its place.
 */
import type { Problem } from './problem.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

export function carryBetween(before: WorkspaceFiles, after: WorkspaceFiles): (problem: Problem) => Problem {
  const changes = new Map<string, readonly Stretch[]>();
  return (problem) => {
    const { path } = problem;
    const [from, to] = [before[path], after[path]];
    if (from === undefined || to === undefined || from === to) return problem;
    const stretches = changes.get(path) ?? changedStretches(from, to);
    changes.set(path, stretches);
    const offset = moved(offsetOf(from, problem), stretches);
    return offset === undefined ? problem : { ...problem, ...placeOf(to, offset) };
  };
}

/** The characters from `start` to `end` of the old text became `length` others. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

function moved(offset: number, stretches: readonly Stretch[]): number | undefined {
  let shift = 0;
  for (const { start, end, length } of stretches) {
    if (offset >= end) shift += length - (end - start);
    else if (offset >= start) return undefined;
  }
  return offset + shift;
}

function changedStretches(from: string, to: string): readonly Stretch[] {
  const [a, b] = [linesOf(from), linesOf(to)];
  const common = commonLines(a, b);
  const stretches: Stretch[] = [];
  let [row, newRow, start] = [0, 0, 0];
  for (const [nextRow, nextNewRow] of [...common, [a.length, b.length] as const]) {
    const old = a.slice(row, nextRow).join('');
    const fresh = b.slice(newRow, nextNewRow).join('');
    if (old !== fresh) stretches.push(trimmed(old, fresh, start));
    start += old.length + (a[nextRow]?.length ?? 0);
    [row, newRow] = [nextRow + 1, nextNewRow + 1];
  }
  return stretches;
}

/** The stretch without what both sides begin and end with. */
function trimmed(old: string, fresh: string, start: number): Stretch {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  return { start: start + head, end: start + old.length - tail, length: fresh.length - head - tail };
}

/** A longest run of lines both texts share, as pairs of line numbers. */
function commonLines(a: readonly string[], b: readonly string[]): ReadonlyArray<readonly [number, number]> {
  const longest = a
    .map(() => new Array<number>(b.length + 1).fill(0))
    .concat([new Array<number>(b.length + 1).fill(0)]);
  const at = (row: number, column: number) => longest[row]?.[column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      const best =
        a[row] === b[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      longest[row]?.splice(column, 1, best);
    }
  }
  const pairs: Array<readonly [number, number]> = [];
  for (let [row, column] = [0, 0]; row < a.length && column < b.length; ) {
    if (a[row] === b[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  return (
    linesOf(text)
      .slice(0, line - 1)
      .join('').length +
    column -
    1
  );
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
