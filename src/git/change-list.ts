/**
 * What a working tree holds beyond its last commit, as git's two lists: staged, and not staged.
 *
 * Invariant: a file is listed as changed only if its shown content differs from the index. Time stamps are hints where to
 * look, never the answer.
 */
import type { Overlay } from '../overlay/overlay.ts';
import { isSameBytes } from '../workspace/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import {
  changesSinceHead,
  changesSinceIndex,
  type RawChange,
  unmergedFiles,
  untrackedFiles,
} from './file-state.ts';
import { entriesInIndex } from './git-entry.ts';
import type { GitRepository } from './git-repository.ts';
import { contentsOf, RepositoryPaths } from './repository-overlay.ts';

export interface ListedChange {
  readonly path: WorkspacePath;
  readonly kind: 'added' | 'modified' | 'deleted' | 'untracked' | 'conflict';
}

export interface ChangeList {
  /** Differs between the last commit and the index. */
  readonly staged: readonly ListedChange[];
  /** Differs between the index and what is shown; files that git does not track are among them. */
  readonly unstaged: readonly ListedChange[];
  /** Staged files of the repository that are not in this workspace: a commit takes them along. */
  readonly stagedOutside: number;
}

export interface ShownFiles {
  readonly workspace: Workspace;
  /** The workspace with its unsaved texts. */
  readonly shown: Overlay;
}

export async function changeList(
  repository: GitRepository,
  { workspace, shown }: ShownFiles,
  signal: AbortSignal,
): Promise<ChangeList> {
  const paths = new RepositoryPaths(repository.top, workspace);
  const [sinceHead, sinceIndex, untracked, unmerged] = await Promise.all([
    changesSinceHead(repository, 'index', signal),
    changesSinceIndex(repository, signal),
    untrackedFiles(repository, signal),
    unmergedFiles(repository, signal),
  ]);
  const isSettled = ({ path }: RawChange): boolean => !unmerged.includes(path);
  const staged = sinceHead.filter(isSettled);
  const touched = sinceIndex.filter(isSettled);
  const differing = await differingFiles(repository, { paths, shown, touched }, signal);
  const listed = new Set([...touched.map(({ path }) => path), ...untracked, ...unmerged]);
  const unsaved = [...shown.layer().keys()].filter((path) => !listed.has(paths.fromTop(path)));
  const tracked = await entriesInIndex(
    repository,
    unsaved.map((path) => paths.fromTop(path)),
    signal,
  );
  const inside = (names: readonly string[], kind: ListedChange['kind']): readonly ListedChange[] =>
    names.flatMap((name) => paths.inside(name).map((path) => ({ path, kind })));
  return {
    staged: inOrder(staged.flatMap((change) => inside([change.path], kindOf(change)))),
    unstaged: inOrder([
      ...inside(unmerged, 'conflict'),
      ...differing,
      ...inside([...tracked.keys()], 'modified'),
      ...inside(untracked, 'untracked'),
    ]),
    stagedOutside: staged.filter(({ path }) => paths.inside(path).length === 0).length,
  };
}

/** Files whose time stamp or mode is not that of the index, and whose content or mode really differs. */
async function differingFiles(
  repository: GitRepository,
  {
    paths,
    shown,
    touched,
  }: { readonly paths: RepositoryPaths; readonly shown: Overlay; readonly touched: readonly RawChange[] },
  signal: AbortSignal,
): Promise<readonly ListedChange[]> {
  const contents = await contentsOf(
    repository,
    touched.map(({ before }) => before),
    signal,
  );
  const found = touched.flatMap((change) =>
    paths.inside(change.path).map(async (path): Promise<readonly ListedChange[]> => {
      const kind = kindOf(change);
      const isSubmodule = [change.before, change.after].some((side) => side?.kind === 'submodule');
      if (isSubmodule || change.before?.kind !== change.after?.kind) return [{ path, kind }];
      const before = contents(change.before);
      const isSame = before !== 'removed' && isSameBytes(before, await shown.read(path));
      return isSame ? [] : [{ path, kind }];
    }),
  );
  return (await Promise.all(found)).flat();
}

function kindOf({ before, after }: RawChange): 'added' | 'modified' | 'deleted' {
  if (before === undefined) return 'added';
  return after === undefined ? 'deleted' : 'modified';
}

function inOrder(changes: readonly ListedChange[]): readonly ListedChange[] {
  return [...changes].sort((a, b) => comparePaths(a.path, b.path));
}
