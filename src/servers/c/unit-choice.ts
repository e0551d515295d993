/**
 * Which units are compiled to check headers.
 *
 * Invariant: every header that some unit includes is included by a chosen one.
 */
import { parentOf, type WorkspacePath } from '../../workspace/workspace-path.ts';

/** Few units that together include all headers that units include; the smaller and nearer ones first. */
export function fewestUnits(
  headers: readonly WorkspacePath[],
  included: ReadonlyMap<WorkspacePath, ReadonlySet<WorkspacePath>>,
): readonly WorkspacePath[] {
  const chosen: WorkspacePath[] = [];
  let left = new Set(headers);
  for (;;) {
    const [best] = [...included]
      .map(([unit, files]) => ({ unit, files, covers: [...left].filter((path) => files.has(path)) }))
      .filter(({ covers }) => covers.length > 0)
      .sort(
        (a, b) =>
          b.covers.length - a.covers.length ||
          nearness(b.unit, b.covers) - nearness(a.unit, a.covers) ||
          a.files.size - b.files.size,
      );
    if (best === undefined) return chosen;
    chosen.push(best.unit);
    left = new Set([...left].filter((path) => !best.files.has(path)));
  }
}

/** A unit that is named like a header includes it; one beside it finds it before another of the same name. */
function nearness(unit: WorkspacePath, headers: readonly WorkspacePath[]): number {
  const isNamesake = headers.some((header) => stem(header) === stem(unit));
  const isBeside = headers.some((header) => parentOf(header) === parentOf(unit));
  return (isNamesake ? 2 : 0) + (isBeside ? 1 : 0);
}

function stem(path: WorkspacePath): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
}
