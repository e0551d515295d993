/**
 * The patterns by which a configuration excludes directories.
 *
 * Invariant: they match the files of every directory out of scope that a pattern can name, and nothing in scope; nor
 * anything in a directory that was skipped when files were listed, since its contents are unknown.
 */

import { suffixOf } from '../../graph/reach/reach-family.ts';
import type { SourceFile } from '../../graph/reach/reach-graph.ts';
import { childOf, parentOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

export interface LeftOutOptions {
  readonly inScope: ReadonlySet<WorkspacePath>;
  /** Whether the directory contains others that were skipped. */
  readonly hidesOthers: (directory: WorkspacePath) => boolean;
}

export function leftOutPatterns(
  directories: ReadonlyMap<WorkspacePath, readonly SourceFile[]>,
  { inScope, hidesOthers }: LeftOutOptions,
): readonly string[] {
  const tree = treeOf([...directories.keys(), ...inScope]);
  const patterns: string[] = [];
  const judged = new Map<WorkspacePath, boolean>();
  /** Whether everything below a directory can be excluded by its name. */
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

/** The subdirectories of each directory, including those on the path to a source. */
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

/** Whether a path, read as a pattern, matches only itself. */
function isPlain(path: string): boolean {
  return !/[*?\\[\]{}()!$]/.test(path);
}
