/**
 * Which directories a server must load so that its answers about some files are those it would give with everything
 * loaded.
 *
 * A compiler's diagnostics of a file depend on what the file imports, which the compiler follows by itself, and on
 * what is globally visible: global declarations of the workspace, and those of a library as soon as any file imports
 * it.
 *
 * Invariant: the directory of every requested file and of every globally visible file is included, and every library
 * that the workspace imports is imported from one of them.
 */

import type { SourceFile, Survey } from '../../graph/reach/reach-graph.ts';
import {
  baseName,
  comparePaths,
  isBelow,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../../workspace/workspace-path.ts';

/** The files and directories to load. */
export interface ScopeWish {
  /** Files being edited; the next request is likely to be about the same package. */
  readonly edited: Iterable<WorkspacePath>;
  readonly asked: Iterable<WorkspacePath>;
  /** Directories that were requested by name, with everything below. */
  readonly places: readonly WorkspacePath[];
}

/** A package with more files than this is not loaded as a whole for one file. */
const largestPackage = 500;

export function directoriesInScope(
  { files, configs }: Survey,
  wish: ScopeWish,
  isLibrary: (specifier: string, from: WorkspacePath) => boolean,
): ReadonlySet<WorkspacePath> {
  const directories = byDirectory(files);
  const packages = new Set(configs.filter((path) => baseName(path) === 'package.json').map(parentOf));
  const inScope = new Set<WorkspacePath>();
  for (const { path, isGlobal } of files) if (isGlobal) inScope.add(parentOf(path));
  for (const path of wish.asked) inScope.add(parentOf(path));
  for (const path of wish.edited) {
    inScope.add(parentOf(path));
    for (const directory of packageOf(path, packages, directories)) inScope.add(directory);
  }
  for (const directory of directories.keys()) {
    if (wish.places.some((place) => directory === place || isBelow(directory, place))) inScope.add(directory);
  }
  coverLibraries(directories, isLibrary, inScope);
  return inScope;
}

/** The directories of a file's package, unless that is the whole workspace or too large. */
function packageOf(
  path: WorkspacePath,
  packages: ReadonlySet<WorkspacePath>,
  directories: ReadonlyMap<WorkspacePath, readonly SourceFile[]>,
): readonly WorkspacePath[] {
  let home = parentOf(path);
  while (home !== rootPath && !packages.has(home)) home = parentOf(home);
  if (home === rootPath) return [];
  const inside = [...directories].filter(([directory]) => directory === home || isBelow(directory, home));
  const size = inside.reduce((sum, [, files]) => sum + files.length, 0);
  return size > largestPackage ? [] : inside.map(([directory]) => directory);
}

/** Adds directories, those with the most missing libraries first, until every library is imported. */
function coverLibraries(
  directories: ReadonlyMap<WorkspacePath, readonly SourceFile[]>,
  isLibrary: (specifier: string, from: WorkspacePath) => boolean,
  inScope: Set<WorkspacePath>,
): void {
  const imported = new Map<WorkspacePath, Set<string>>();
  for (const [directory, files] of directories) {
    const specifiers = new Set(files.flatMap(({ libraries }) => libraries));
    for (const specifier of specifiers) if (!isLibrary(specifier, directory)) specifiers.delete(specifier);
    imported.set(directory, specifiers);
  }
  const missing = new Set([...imported.values()].flatMap((specifiers) => [...specifiers]));
  const take = (directory: WorkspacePath): void => {
    for (const specifier of imported.get(directory) ?? []) missing.delete(specifier);
  };
  for (const directory of inScope) take(directory);
  while (missing.size > 0) {
    const best = mostMissing(imported, missing, (directory) => directories.get(directory)?.length ?? 0);
    if (best === undefined) return;
    inScope.add(best);
    take(best);
  }
}

/** The directory that imports the most of the missing libraries; among equals the one with the fewest files. */
function mostMissing(
  imported: ReadonlyMap<WorkspacePath, ReadonlySet<string>>,
  missing: ReadonlySet<string>,
  costOf: (directory: WorkspacePath) => number,
): WorkspacePath | undefined {
  let best: { directory: WorkspacePath; gain: number; cost: number } | undefined;
  for (const [directory, specifiers] of imported) {
    let gain = 0;
    for (const specifier of specifiers) if (missing.has(specifier)) gain += 1;
    const cost = costOf(directory);
    const isBetter = best === undefined || gain > best.gain || (gain === best.gain && cost < best.cost);
    if (gain > 0 && isBetter) best = { directory, gain, cost };
  }
  return best?.directory;
}

/** The files of each directory, in the same order on every machine. */
export function byDirectory(files: readonly SourceFile[]): ReadonlyMap<WorkspacePath, readonly SourceFile[]> {
  const directories = new Map<WorkspacePath, SourceFile[]>();
  for (const file of [...files].sort((a, b) => comparePaths(a.path, b.path))) {
    const directory = parentOf(file.path);
    const filed = directories.get(directory);
    if (filed) filed.push(file);
    else directories.set(directory, [file]);
  }
  return directories;
}
