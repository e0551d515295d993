/**
 * The uncommitted changes of a working tree as two overlays on the disk: the last commit, and on it the changes.
 *
 * Invariant: the uppermost layer changes exactly the files that differ between the two states.
 */
import { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { changesSinceHead, untrackedFiles } from './file-state.ts';
import type { GitRepository } from './git-repository.ts';
import { contentsOf, RepositoryPaths } from './repository-overlay.ts';

/** `uncommitted`: everything on disk that differs from the last commit. `staged`: only the index. */
export type PendingKind = 'uncommitted' | 'staged';

/**
 * `disk` is an overlay without changes. The base of the result is the last commit; the result is empty if nothing is
 * pending.
 */
export async function pendingChanges(
  repository: GitRepository,
  {
    kind,
    workspace,
    disk,
  }: { readonly kind: PendingKind; readonly workspace: Workspace; readonly disk: Overlay },
  signal: AbortSignal,
): Promise<Overlay> {
  const paths = new RepositoryPaths(repository.top, workspace);
  const [sinceHead, untracked] = await Promise.all([
    changesSinceHead(repository, 'working tree', signal),
    untrackedFiles(repository, signal),
  ]);
  const staged = kind === 'staged' ? await changesSinceHead(repository, 'index', signal) : [];
  const sides = [
    ...[...sinceHead, ...staged].map(({ before }) => before),
    ...staged.map(({ after }) => after),
  ];
  const contents = await contentsOf(repository, sides, signal);
  const committed = Overlay.on(disk).writeAll([
    ...paths.entries(sinceHead, ({ before }) => contents(before)),
    ...paths.entries(staged, ({ before }) => contents(before)),
    ...untracked.flatMap((path) => paths.entry(path, 'removed')),
  ]);
  if (kind === 'staged') {
    return Overlay.on(committed).writeAll([...paths.entries(staged, ({ after }) => contents(after))]);
  }
  const tracked = paths.entries(sinceHead, () => 'removed').map(([path]) => path);
  const touched = [...tracked, ...untracked.flatMap((path) => paths.inside(path))];
  const current = touched.map(async (path) => [path, (await disk.read(path)) ?? 'removed'] as const);
  return Overlay.on(committed).writeAll(await Promise.all(current));
}
