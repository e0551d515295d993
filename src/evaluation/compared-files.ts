/**
 * The files that are measured before and after a change.
 *
 * Invariant: a file is measured on a side only if it exists there and some project checks it.
 */
import type { FileChange } from '../overlay/overlay.ts';
import type { CheckedFiles } from '../servers/project/checked-files.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ComparisonBase } from './comparison-base.ts';

interface FilesToCompare {
  readonly before: readonly WorkspacePath[];
  readonly after: readonly WorkspacePath[];
}

/** A created file has no baseline, a deleted one is measured only before; a renamed one is measured under each name. */
export function filesToCompare(
  { changes, exists }: ComparisonBase,
  reached: readonly WorkspacePath[],
): FilesToCompare {
  const before = new Set<WorkspacePath>();
  const after = new Set<WorkspacePath>();
  for (const change of changes) {
    if (change.before !== undefined) before.add(change.from ?? change.path);
    if (change.after !== undefined) after.add(change.path);
  }
  const gone = new Set(changes.flatMap(({ path, from, after: now }) => [from, now ? undefined : path]));
  const touched = new Set(changes.map(({ path }) => path));
  for (const path of reached) {
    if (touched.has(path) || gone.has(path) || !exists(path)) continue;
    before.add(path);
    after.add(path);
  }
  return { before: [...before], after: [...after] };
}

export interface CheckedOnly {
  readonly files: FilesToCompare;
  /** Changed files that are checked on neither side. */
  readonly unchecked: readonly WorkspacePath[];
  readonly projectDoubt: string | undefined;
}

/** A file counts on a side only if the project checks it there: a file that enters a project introduces its errors. */
export function checkedOnly(
  { before, after }: FilesToCompare,
  changes: readonly FileChange[],
  checked: { readonly before: CheckedFiles; readonly after: CheckedFiles },
): CheckedOnly {
  const isUnchecked = ({ path, from }: FileChange) =>
    !checked.after.has(path) && !checked.before.has(from ?? path);
  return {
    files: {
      before: before.filter((path) => checked.before.has(path)),
      after: after.filter((path) => checked.after.has(path)),
    },
    unchecked: changes.filter(isUnchecked).map(({ path }) => path),
    projectDoubt: checked.after.doubt ?? checked.before.doubt,
  };
}
