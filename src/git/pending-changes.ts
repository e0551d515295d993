/**
 * The uncommitted changes of a working tree as two overlays on the disk: the last commit, and on it the changes.
 *
 * Invariant: nothing is checked out and nothing is written. Contents come from git's objects and from the disk; the
 * upper layer changes exactly the files that differ between the two states.
 */
import { type LayerEntry, Overlay } from '../overlay/overlay.ts';
import { decodeContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { GitRepository, RawChange, RawSide } from './git-repository.ts';

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
    repository.changesSinceHead('working tree', signal),
    repository.untracked(signal),
  ]);
  const staged = kind === 'staged' ? await repository.changesSinceHead('index', signal) : [];
  const blobs = await repository.blobs(
    [...sinceHead, ...staged].flatMap(({ before, after }) => [idOf(before), idOf(after)]).flat(),
    signal,
  );
  const content = (side: RawSide | undefined): LayerEntry => contentOf(side, blobs);
  const committed = Overlay.on(disk).writeAll([
    ...paths.entries(sinceHead, ({ before }) => content(before)),
    ...paths.entries(staged, ({ before }) => content(before)),
    ...untracked.flatMap((path) => paths.entry(path, 'removed')),
  ]);
  if (kind === 'staged') {
    return Overlay.on(committed).writeAll([...paths.entries(staged, ({ after }) => content(after))]);
  }
  const touched = [...sinceHead.map(({ path }) => path), ...untracked].flatMap((path) => paths.inside(path));
  const current = touched.map(async (path) => [path, (await disk.read(path)) ?? 'removed'] as const);
  return Overlay.on(committed).writeAll(await Promise.all(current));
}

function idOf(side: RawSide | undefined): readonly string[] {
  return side === undefined || side.blob === undefined || side.kind === 'submodule' ? [] : [side.blob];
}

function contentOf(side: RawSide | undefined, blobs: ReadonlyMap<string, Uint8Array>): LayerEntry {
  const bytes = side?.blob === undefined ? undefined : blobs.get(side.blob);
  if (side === undefined || bytes === undefined) return 'removed';
  if (side.kind === 'symlink') return { kind: 'symlink', target: Buffer.from(bytes).toString('utf8') };
  const content: FileContent = decodeContent(bytes);
  return side.kind === 'executable' && content.kind !== 'symlink' ? { ...content, mode: 0o755 } : content;
}

/** git's paths start at the top of its working tree; a workspace may begin further down. */
class RepositoryPaths {
  readonly #prefix: string;

  constructor(top: string, { root }: Workspace) {
    this.#prefix = root === top ? '' : `${root.slice(top.length + 1)}/`;
  }

  inside(path: string): readonly WorkspacePath[] {
    const below = path.startsWith(this.#prefix)
      ? parseWorkspacePath(path.slice(this.#prefix.length))
      : undefined;
    return below === undefined || below === '' ? [] : [below];
  }

  entry(path: string, entry: LayerEntry): readonly (readonly [WorkspacePath, LayerEntry])[] {
    return this.inside(path).map((below) => [below, entry] as const);
  }

  entries(
    changes: readonly RawChange[],
    side: (change: RawChange) => LayerEntry,
  ): readonly (readonly [WorkspacePath, LayerEntry])[] {
    const files = changes.filter(({ before, after }) =>
      [before, after].every((each) => each?.kind !== 'submodule'),
    );
    return files.flatMap((change) => this.entry(change.path, side(change)));
  }
}
