/** What another working tree of the repository holds beyond its last commit. */
import { lstatSync, readlinkSync } from 'node:fs';
import type { LayerEntry } from '../overlay/overlay.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { changesSinceHead, isSubmodule, untrackedFiles } from './file-state.ts';
import type { GitRepository } from './git-repository.ts';
import type { MergeObjects } from './merge-objects.ts';
import { RepositoryPaths } from './repository-overlay.ts';

/** Its uncommitted files with their contents, at their paths in `workspace`; links out of it are not followed. */
export async function worktreeEntries(
  repository: GitRepository,
  { other, workspace }: { readonly other: GitRepository; readonly workspace: Workspace },
  signal: AbortSignal,
): Promise<readonly (readonly [WorkspacePath, LayerEntry])[]> {
  const here = new RepositoryPaths(repository.top, workspace);
  return (await uncommitted(other, signal)).flatMap(([path, entry]) => here.entry(path, entry));
}

/** Its last commit or, if there is more, a commit with everything it holds. */
export async function worktreeCommit(
  objects: MergeObjects,
  other: GitRepository,
  signal: AbortSignal,
): Promise<string> {
  const head = await other.head(signal);
  const entries = await uncommitted(other, signal);
  return entries.length === 0 ? head : objects.commitOf(head, entries, signal);
}

/** By path from the top of the repository. */
async function uncommitted(
  other: GitRepository,
  signal: AbortSignal,
): Promise<readonly (readonly [path: string, entry: LayerEntry])[]> {
  const [changed, untracked] = await Promise.all([
    changesSinceHead(other, 'working tree', signal),
    untrackedFiles(other, signal),
  ]);
  const tree = await Workspace.open(other.top);
  const source = new DiskSource(tree);
  const paths = new RepositoryPaths(other.top, tree);
  const files = changed.filter(({ before, after }) => !isSubmodule(before) && !isSubmodule(after));
  const touched = [...new Set([...files.map(({ path }) => path), ...untracked])];
  return Promise.all(
    touched
      .flatMap((path) => paths.inside(path))
      .map(
        async (path) =>
          [path, linkAt(tree.absolute(path)) ?? (await source.read(path)) ?? 'removed'] as const,
      ),
  );
}

/** Git keeps a link itself, also one that leads to a file of the same tree. */
function linkAt(file: string): FileContent | undefined {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? { kind: 'symlink', target: readlinkSync(file) } : undefined;
}
