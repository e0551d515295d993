/**
 * Submodules that a change adds, moves to another commit or removes.
 *
 * Invariant: what a submodule holds is not in this repository, so both sides of a change have its files as they are on
 * disk. Where a language server may have read them, the change of the submodule is not judged, and is listed as such.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { isSubmodule, type RawChange } from './file-state.ts';
import type { GitRepository } from './git-repository.ts';
import { RepositoryPaths } from './repository-overlay.ts';

export interface MovedSubmodule {
  /** From the top of the repository. */
  readonly path: string;
  readonly isRemoved: boolean;
}

export function movedSubmodules(changes: readonly RawChange[]): readonly MovedSubmodule[] {
  return changes.flatMap(({ path, before, after }) =>
    isSubmodule(before) || isSubmodule(after) ? [{ path, isRemoved: !isSubmodule(after) }] : [],
  );
}

/** Those whose files a language server may read: a submodule that is not checked out has none on either side. */
export function visibleSubmodules(
  { top }: Pick<GitRepository, 'top'>,
  { moved, workspace }: { readonly moved: readonly MovedSubmodule[]; readonly workspace: Workspace },
): readonly WorkspacePath[] {
  const paths = new RepositoryPaths(top, workspace);
  return moved
    .filter(({ path, isRemoved }) => isRemoved || existsSync(join(top, path, '.git')))
    .flatMap(({ path }) => paths.inside(path));
}
