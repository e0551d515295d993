/**
 * The changes of a working tree that are not committed yet, as two overlays on the disk: what the last commit holds, and
 * on it what the change makes of that.
 *
 * Invariant: the uppermost layer changes exactly the files that differ between the two states.
 */
import { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { GitRepository } from './git-repository.ts';
import { contentsOf, RepositoryPaths } from './repository-overlay.ts';

/** `uncommitted`: everything on disk that the last commit does not hold. `staged`: what the index holds, and nothing else. */
export type PendingKind = 'uncommitted' | 'staged';

/** `disk` is an overlay without changes. The answer's base is the last commit; it is empty where nothing is pending. */
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
    repository.changesSinceHead('working tree', signal),
    repository.untracked(signal),
  ]);
  const staged = kind === 'staged' ? await repository.changesSinceHead('index', signal) : [];
  const contents = await contentsOf(repository, [...sinceHead, ...staged], signal);
  const committed = Overlay.on(disk).writeAll([
    ...paths.entries(sinceHead, ({ before }) => contents(before)),
    ...paths.entries(staged, ({ before }) => contents(before)),
    ...untracked.flatMap((path) => paths.entry(path, 'removed')),
  ]);
  if (kind === 'staged') {
    return Overlay.on(committed).writeAll([...paths.entries(staged, ({ after }) => contents(after))]);
  }
  const touched = [...sinceHead.map(({ path }) => path), ...untracked].flatMap((path) => paths.inside(path));
  const current = touched.map(async (path) => [path, (await disk.read(path)) ?? 'removed'] as const);
  return Overlay.on(committed).writeAll(await Promise.all(current));
}
