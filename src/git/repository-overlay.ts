/**
 * States of a repository as overlays: a tree laid over the disk, and the changes that lead from one tree to another.
 *
 * Invariant: nothing is checked out and nothing is written. Contents come from git's objects; ignored files, such as
 * installed packages, stay as they are on disk.
 */
import { type LayerEntry, Overlay } from '../overlay/overlay.ts';
import { decodeContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import {
  changesBetween,
  changesOnDisk,
  isSubmodule,
  type ListedFile,
  listedFiles,
  type RawChange,
  type RawSide,
} from './file-state.ts';
import { emptyTree, type GitRepository } from './git-repository.ts';

interface TreeRequest {
  readonly tree: string;
  readonly workspace: Workspace;
  readonly disk: Overlay;
  /** The files that git lists, for a caller that needs them too. */
  readonly listed?: Promise<readonly ListedFile[]>;
  /** The files that differ from the tree on disk, likewise. */
  readonly noticed?: Promise<readonly RawChange[]>;
}

/** The workspace as a tree has it: exactly its files, besides those that git ignores. */
export async function treeOverlay(
  repository: GitRepository,
  { tree, workspace, disk, listed, noticed: differing }: TreeRequest,
  signal: AbortSignal,
): Promise<Overlay> {
  const paths = new RepositoryPaths(repository.top, workspace);
  const [noticed, files] = await Promise.all([
    differing ?? changesOnDisk(repository, tree, signal),
    listed ?? listedFiles(repository, signal),
  ]);
  const unwatched = new Set(pathsOf(files, 'unwatched'));
  const onDisk = [...noticed, ...(await filesOfTree(repository, tree, unwatched, signal))];
  const contents = await contentsOf(
    repository,
    onDisk.map(({ before }) => before),
    signal,
  );
  // A file that git does not track may be one of the tree: it is written last.
  return Overlay.on(disk).writeAll([
    ...pathsOf(files, 'untracked').flatMap((path) => paths.entry(path, 'removed')),
    ...paths.entries(onDisk, ({ before }) => contents(before)),
  ]);
}

function pathsOf(files: readonly ListedFile[], state: ListedFile['state']): readonly string[] {
  return files.filter((file) => file.state === state).map(({ path }) => path);
}

/** Git does not say whether these files are changed on disk: they are taken to be. */
async function filesOfTree(
  repository: GitRepository,
  tree: string,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  if (paths.size === 0) return [];
  const from = await emptyTree(repository, signal);
  const all = await changesBetween(repository, { from, to: tree }, signal);
  const sides = new Map(all.map(({ path, after }) => [path, after]));
  return [...paths].map((path) => ({ path, before: sides.get(path), after: undefined }));
}

/** `base` with the changes between two trees on top of it. */
export async function changesOverlay(
  repository: GitRepository,
  {
    from,
    to,
    workspace,
    base,
  }: { readonly from: string; readonly to: string; readonly workspace: Workspace; readonly base: Overlay },
  signal: AbortSignal,
): Promise<Overlay> {
  const changes = await changesBetween(repository, { from, to }, signal);
  return rawChangesOverlay(repository, { changes, top: repository.top, workspace, base }, signal);
}

/** `base` with these changes on top of it. */
export async function rawChangesOverlay(
  blobs: BlobSource,
  {
    changes,
    top,
    workspace,
    base,
  }: {
    readonly changes: readonly RawChange[];
    /** The top of the working tree. */
    readonly top: string;
    readonly workspace: Workspace;
    readonly base: Overlay;
  },
  signal: AbortSignal,
): Promise<Overlay> {
  const paths = new RepositoryPaths(top, workspace);
  const contents = await contentsOf(
    blobs,
    changes.map(({ after }) => after),
    signal,
  );
  return Overlay.on(base).writeAll(paths.entries(changes, ({ after }) => contents(after)));
}

type BlobSource = Pick<GitRepository, 'blobs'>;

/** Reads these sides of changes at once; the answer gives the content of each. */
export async function contentsOf(
  repository: BlobSource,
  sides: readonly (RawSide | undefined)[],
  signal: AbortSignal,
): Promise<(side: RawSide | undefined) => LayerEntry> {
  const ids = sides.flatMap(idOf);
  const blobs = await repository.blobs(ids, signal);
  return (side) => contentOf(side, blobs);
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

/** Git names paths from the top of its working tree; a workspace may begin further down. */
export class RepositoryPaths {
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

  /** As git names a file of the workspace. */
  fromTop(path: WorkspacePath): string {
    return `${this.#prefix}${path}`;
  }

  entry(path: string, entry: LayerEntry): readonly (readonly [WorkspacePath, LayerEntry])[] {
    return this.inside(path).map((below) => [below, entry] as const);
  }

  /** Submodules are left out: what they hold is not in this repository. */
  entries(
    changes: readonly RawChange[],
    side: (change: RawChange) => LayerEntry,
  ): readonly (readonly [WorkspacePath, LayerEntry])[] {
    const files = changes.filter(({ before, after }) => !isSubmodule(before) && !isSubmodule(after));
    return files.flatMap((change) => this.entry(change.path, side(change)));
  }
}
