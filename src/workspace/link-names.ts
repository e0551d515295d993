/**
 * The other names that symbolic links in a workspace give to its files. A compiler that does not resolve a link takes each
 * name for a file of its own.
 *
 * Invariant: names are found for real paths, of files that are missing too: one that is created there has them all. A link that
 * leads to a directory around itself gives none, so each file has finitely many.
 */
import { statSync } from 'node:fs';
import { errnoOf } from '../base/errno.ts';
import { isAtOrBelow, realPathOf } from './real-path.ts';
import { followLinks, type Workspace } from './workspace.ts';
import { ancestorsOf, isBelow, moveBelow, type WorkspacePath } from './workspace-path.ts';

export class LinkNames {
  /** The links to each place inside the workspace that one leads to. */
  readonly #byTarget = new Map<WorkspacePath, WorkspacePath[]>();
  /** The links to directories, inside the workspace or outside. */
  readonly #directories: ReadonlySet<WorkspacePath>;

  constructor(workspace: Workspace, links: Iterable<WorkspacePath>) {
    const all = [...links];
    this.#directories = new Set(all.filter((link) => isDirectoryAt(workspace.absolute(link))));
    for (const link of all) {
      const real = placeOf(workspace.absolute(link));
      const target = isAtOrBelow(real, workspace.root) ? workspace.path(real) : undefined;
      if (target === undefined || isAround(target, link)) continue;
      const links = this.#byTarget.get(target) ?? [];
      this.#byTarget.set(target, links);
      links.push(link);
    }
  }

  /** Every other name of what is at a real path, sorted; the first ones of so many that links must lead into each other. */
  of(path: WorkspacePath): readonly WorkspacePath[] {
    const names = new Set([path]);
    // A Set iterates over elements added during the iteration: links lie in linked directories too.
    for (const name of names) {
      for (const target of [name, ...ancestorsOf(name)]) {
        for (const link of this.#byTarget.get(target) ?? [])
          if (!isAround(link, name)) names.add(moveBelow(name, target, link));
      }
      if (names.size > mostNames) break;
    }
    names.delete(path);
    return [...names].sort();
  }

  leadsToDirectory(link: WorkspacePath): boolean {
    return this.#directories.has(link);
  }

  /** The links that lead to something below a directory, which is missing without it. */
  into(directory: WorkspacePath): readonly WorkspacePath[] {
    return [...this.#byTarget].flatMap(([target, links]) => (isBelow(target, directory) ? links : []));
  }
}

/** Where a link leads, also if nothing is there yet; where links lead in a circle, the link itself. */
function placeOf(link: string): string {
  try {
    return followLinks(link);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return realPathOf(link);
  }
}

export function isDirectoryAt(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (thrown) {
    // Links in a circle, and directories that may not be entered, lead nowhere.
    if (errnoOf(thrown) === undefined) throw thrown;
    return false;
  }
}

/** Links that lead into each other's directories could give names without end. */
const mostNames = 200;

function isAround(directory: WorkspacePath, path: WorkspacePath): boolean {
  return directory === path || isBelow(path, directory);
}
