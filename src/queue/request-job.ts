/**
 * The job of a request: a commit that workers can fetch, and what leads from there to the caller's files.
 *
 * Invariants: the layers of the job, on the files of its commit, give exactly the files that the caller has, but for
 * those that git does not carry, whose hashes are listed. If the caller's files are those of the commit, the job asks exactly what the request asks.
 */
import { relative, sep } from 'node:path';
import { encodeRequest } from '../evaluation/encoded-request.ts';
import type { EvaluationRequest } from '../evaluation/evaluator.ts';
import { changesOnDisk, type ListedFile, listedFiles, type RawChange } from '../git/file-state.ts';
import type { GitRepository } from '../git/git-repository.ts';
import type { KnownRepository } from '../git/known-repository.ts';
import type { PublishedCommit } from '../git/published-commit.ts';
import { RepositoryPaths, treeOverlay } from '../git/repository-overlay.ts';
import type { EncodedOverlay } from '../overlay/encoded-overlay.ts';
import { type LayerEntry, Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { isSameBytes } from '../workspace/content-hash.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import { realPathOf } from '../workspace/real-path.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { JobRepository } from './job.ts';
import { ChangedOutside } from './queue-failure.ts';
import { repositoryIdentity } from './repository-identity.ts';
import { stackOn } from './stacked-request.ts';
import { type UnsentSources, unsentSources } from './unsent-source.ts';

export interface JobRequest {
  readonly repository: JobRepository;
  readonly layers: EncodedOverlay;
  /** The encoded request without its overlay. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly unsent: UnsentSources;
}

/** Where a working tree stands: the commit that workers can fetch, and its contents at every path that differs. */
export interface TreeState {
  readonly workspace: Workspace;
  readonly top: string;
  readonly published: PublishedCommit;
  /** Contents of the commit; a file may turn out to be the same. */
  readonly committed: ReadonlyMap<WorkspacePath, LayerEntry>;
  readonly unsent: UnsentSources;
}

export async function treeState(
  root: string,
  repository: KnownRepository,
  signal: AbortSignal,
): Promise<TreeState> {
  const workspace = await Workspace.open(root);
  const { git, published } = await repository.stand(signal);
  const { commit } = published;
  const disk = Overlay.on(new DiskSource(workspace));
  const listed = listedFiles(git, signal);
  const noticed = changesOnDisk(git, commit, signal);
  const [tree, unsent] = await Promise.all([
    treeOverlay(git, { tree: commit, workspace, disk, listed, noticed }, signal),
    unsentSources(git, { workspace, listed }, signal),
    requireUnchangedOutside(git, { workspace, commit, listed, noticed }, signal),
  ]);
  return { workspace, top: git.top, published, committed: tree.layer(), unsent };
}

/** `state` must have been taken after the request was made. */
export async function jobRequestOf(
  request: EvaluationRequest,
  { state, remote }: { readonly state: TreeState; readonly remote?: string | undefined },
): Promise<JobRequest> {
  const { workspace, top, published } = state;
  const { commit } = published;
  const { overlay, against } = await onCommit(request, state);
  const moved = { ...request, overlay, against: against ?? request.against, restsOn: undefined };
  const { overlay: layers, workspace: _, ...rest } = await encodeRequest(moved);
  const from = remote ?? published.remote;
  return {
    repository: {
      identity: repositoryIdentity(from),
      remote: from,
      commit,
      directory: relative(realPathOf(top), workspace.root).split(sep).join('/'),
    },
    layers,
    request: rest,
    unsent: state.unsent,
  };
}

/** The request on the files of the commit: unchanged if these are the caller's, else stacked on the difference. */
async function onCommit(
  { overlay, against }: EvaluationRequest,
  { committed: contents }: TreeState,
): Promise<Pick<EvaluationRequest, 'overlay' | 'against'>> {
  const disk = bottomOf(overlay);
  const tree = Overlay.on(disk).writeAll(contents);
  const entries = [...tree.layer().keys()].map(async (path) => {
    const [committed, current] = await Promise.all([tree.read(path), disk.read(path)]);
    const isSame = isSameBytes(committed, current) && modeOf(committed) === modeOf(current);
    return isSame ? [] : [[path, current ?? 'removed'] as const];
  });
  const changed = (await Promise.all(entries)).flat();
  if (changed.length === 0) return { overlay, against };
  // The files of the commit are the bottom; a worker has no other.
  const difference = Overlay.on(new Baseline(tree)).writeAll(changed);
  return stackOn(difference, { overlay, against });
}

/** The files beneath all layers, as the caller's overlay has read them. */
function bottomOf(overlay: Overlay): Overlay['base'] {
  return overlay.base instanceof Overlay ? bottomOf(overlay.base) : overlay.base;
}

function modeOf(content: Awaited<ReturnType<Overlay['read']>>): boolean {
  return content !== undefined && 'mode' in content && ((content.mode ?? 0) & 0o100) !== 0;
}

/** A workspace below the top of its repository may read files above it, which its overlay cannot hold. */
async function requireUnchangedOutside(
  git: GitRepository,
  {
    workspace,
    commit,
    ...looks
  }: {
    readonly workspace: Workspace;
    readonly commit: string;
    readonly listed: Promise<readonly ListedFile[]>;
    readonly noticed: Promise<readonly RawChange[]>;
  },
  signal: AbortSignal,
): Promise<void> {
  if (workspace.root === realPathOf(git.top)) return;
  const top = await Workspace.open(git.top);
  const disk = new Baseline(new DiskSource(top));
  const asked = { tree: commit, workspace: top, disk: Overlay.on(disk), ...looks };
  const tree = await treeOverlay(git, asked, signal);
  const inside = new RepositoryPaths(top.root, workspace);
  const outside = [...tree.layer().keys()].filter((path) => inside.inside(path).length === 0);
  const changed: string[] = [];
  for (const path of outside) {
    if (!isSameBytes(await tree.read(path), await disk.read(path))) changed.push(path);
  }
  if (changed.length > 0) throw new ChangedOutside(changed);
}
