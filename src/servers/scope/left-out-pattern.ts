/**
 * The patterns by which a configuration leaves out directories.
 *
 * Invariant: they match the files of every directory out of scope that can be named by a pattern, and nothing in
 * scope; nor anything in a directory that was passed over when files were listed, since what lies there is
 * not known.
 */

import { suffixOf } from '../../graph/reach/reach-family.ts';
import type { SourceFile } from '../../graph/reach/reach-graph.ts';
import { childOf, parentOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

export interface LeftOutOptions {
  readonly inScope: ReadonlySet<WorkspacePath>;
  /** Whether the directory holds others that were passed over. */
  readonly hidesOthers: (directory: WorkspacePath) => boolean;
}

export function leftOutPatterns(
  directories: ReadonlyMap<WorkspacePath, readonly SourceFile[]>,
  { inScope, hidesOthers }: LeftOutOptions,
): readonly string[] {
  const tree = treeOf([...directories.keys(), ...inScope]);
  const patterns: string[] = [];
  const judged = new Map<WorkspacePath, boolean>();
  /** Whether everything below a directory can be left out by its name. */
  const isWhole = (directory: WorkspacePath): boolean => {
    const known = judged.get(directory);
    if (known !== undefined) return known;
    const isOut = !inScope.has(directory) && isPlain(directory) && !hidesOthers(directory);
    const verdict = isOut && (tree.get(directory) ?? []).every(isWhole);
    judged.set(directory, verdict);
    return verdict;
  };
  const visit = (directory: WorkspacePath): void => {
    if (directory !== rootPath && isWhole(directory)) {
      patterns.push(directory);
      return;
    }
    if (!inScope.has(directory) && isPlain(directory)) {
      const extensions = new Set((directories.get(directory) ?? []).map(({ path }) => suffixOf(path)));
      for (const extension of extensions) patterns.push(childOf(directory, `*.${extension}`));
    }
    for (const child of tree.get(directory) ?? []) visit(child);
  };
  visit(rootPath);
  return patterns;
}

/** The directories inside each directory, those on the way to a source included. */
function treeOf(directories: Iterable<WorkspacePath>): ReadonlyMap<WorkspacePath, readonly WorkspacePath[]> {
  const tree = new Map<WorkspacePath, Set<WorkspacePath>>();
  for (const directory of directories) {
    for (let at = directory; at !== rootPath; at = parentOf(at)) {
      const children = tree.get(parentOf(at)) ?? new Set();
      tree.set(parentOf(at), children.add(at));
    }
  }
  return new Map([...tree].map(([directory, children]) => [directory, [...children].sort()]));
}

/** Whether a path means itself when read as a pattern. */
function isPlain(path: string): boolean {
  return !/[*?\\[\]{}()!$]/.test(path);
}
