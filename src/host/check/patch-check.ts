/**
 * Judges a whole change as one transaction, by every language server it affects: a patch, or the uncommitted changes
 * of a working tree.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that was not judged; an empty change is not
 * clean.
 */
import { relative, sep } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Against } from '../../evaluation/comparison-base.ts';
import { errorsSoFar } from '../../evaluation/evaluation.ts';
import { EvaluationStale } from '../../evaluation/evaluation-failure.ts';
import type { EvaluationRequest, OverlayCheck } from '../../evaluation/evaluator.ts';
import { withUnjudged } from '../../evaluation/local-evaluator.ts';
import { unjudgedSubmodules } from '../../evaluation/server-assignment.ts';
import { changesSinceHead } from '../../git/file-state.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { type MovedSubmodule, movedSubmodules, visibleSubmodules } from '../../git/moved-submodule.ts';
import { type PendingKind, pendingChanges } from '../../git/pending-changes.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { applyPatch, type PatchReject } from '../../overlay/patch.ts';
import type { Scope } from '../../servers/projection.ts';
import type { Withheld } from '../../servers/server-location.ts';
import { withoutColour } from '../../text/patch-colour.ts';
import { reversePatches } from '../../text/reverse-patch.ts';
import { type FilePatch, parseUnifiedDiff } from '../../text/unified-diff.ts';
import { isRepositoryTop } from '../../workspace/enclosing-directories.ts';
import { realPathOf } from '../../workspace/real-path.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Forerun } from '../forerun.ts';
import { withoutSubmodules } from './submodule-patch.ts';

export interface ChangeCheckOptions {
  readonly root: string;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly onProgress: (message: string) => void;
}

export interface PatchRequest extends ChangeCheckOptions {
  readonly patch: string;
  /**
   * Where the patch was made, if not at the root. Git names files relative to the repository, other tools to this
   * directory.
   */
  readonly directory?: string;
}

export interface PendingRequest extends ChangeCheckOptions {
  readonly kind: PendingKind;
  /** Texts that count although they are not on disk yet; absent: none. */
  readonly unsaved?: ReadonlyMap<WorkspacePath, LayerEntry>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What was judged. An applied patch is on disk already; the disk is compared with its state before the patch. */
export type Judged = 'patch' | 'applied-patch' | PendingKind | 'revision';

export interface PatchCheck extends OverlayCheck {
  readonly workspace: Workspace;
  /** The workspace after the change. */
  readonly overlay: Overlay;
  readonly judged: Judged;
  /** Programs of the workspace that were not used because it is not trusted. */
  readonly withheld: readonly Withheld[];
}

class PatchRejected extends Failure {
  readonly code = 'cli/patch-rejected';
  readonly remedy =
    'Make the patch against the files as they are now, or name their directory with --root. Without a patch, the uncommitted changes are judged.';

  constructor(rejects: readonly PatchReject[]) {
    const lines = rejects.map(
      ({ path, hunk, reason }) => `  ${path}${hunk > 0 ? ` (hunk ${hunk})` : ''}: ${reason}`,
    );
    super(`the patch does not apply:\n${lines.join('\n')}`);
  }
}

/** There is nothing to judge, which is not the same as clean. */
export class NothingToJudge extends Failure {
  readonly code = 'cli/nothing-to-judge';
  readonly remedy = 'Change a file first (with --staged, stage it), or name a branch, a commit or a patch.';
}

/** Submodules changed and nothing else: their files are not in this repository. */
export class OnlySubmodules extends Failure {
  readonly code = 'cli/only-submodules';
  readonly remedy = 'Judge the change of a submodule in its own directory.';

  constructor(moved: readonly MovedSubmodule[]) {
    super(`only submodules change: ${moved.map(({ path }) => path).join(', ')}`);
  }
}

/** A patch that is on disk already is judged too: its reverse leads to the state it was made on. */
export async function checkPatch(
  forerun: Forerun,
  request: PatchRequest,
  signal: AbortSignal,
): Promise<PatchCheck> {
  const patches = parseUnifiedDiff(withoutColour(request.patch));
  if (patches.length === 0) throw new NothingToJudge('the patch is empty');
  const { live, workspace } = await forerun.workspaces.open(request.root, signal);
  const { files, moved } = await withoutSubmodules(live.emptyOverlay(), patches);
  if (files.length === 0) throw new OnlySubmodules(moved);
  const { overlay, judged } = await patched(live.emptyOverlay(), spellings(files, workspace, request));
  if ((await overlay.changes()).length === 0) {
    throw new NothingToJudge('the patch changes no file whose content it holds');
  }
  const against = judged === 'patch' ? 'disk' : 'beneath';
  const submodules = visibleSubmodules({ top: workspace.root }, { moved, workspace });
  return judgeOverlay(forerun, { ...request, live, overlay, against, judged, submodules }, signal);
}

/** The changes of the working tree, or of the index alone, since the last commit. */
export async function checkPending(
  forerun: Forerun,
  request: PendingRequest,
  signal: AbortSignal,
): Promise<PatchCheck> {
  const { kind, env } = request;
  const repository = await GitRepository.at(request.root, env, signal);
  const { live, workspace } = await forerun.workspaces.open(request.root, signal);
  const disk = live.emptyOverlay();
  const pending = await pendingChanges(repository, { kind, workspace, disk }, signal);
  const overlay = request.unsaved ? pending.writeAll([...request.unsaved]) : pending;
  const side = kind === 'staged' ? 'index' : 'working tree';
  const moved = movedSubmodules(await changesSinceHead(repository, side, signal));
  if ((await overlay.changes()).length === 0) {
    if (moved.length > 0) throw new OnlySubmodules(moved);
    const where = kind === 'staged' ? 'nothing is staged' : 'there are no uncommitted changes';
    throw new NothingToJudge(`${where} in ${workspace.root}`);
  }
  const submodules = visibleSubmodules(repository, { moved, workspace });
  const asked = { ...request, live, overlay, against: 'beneath', judged: kind, submodules } as const;
  return judgeOverlay(forerun, asked, signal);
}

/** Judges an overlay with the servers of its workspace. */
export async function judgeOverlay(
  forerun: Forerun,
  asked: Pick<ChangeCheckOptions, 'scope' | 'timeoutMs' | 'onProgress'> & {
    readonly live: LiveWorkspace;
    readonly overlay: Overlay;
    readonly against: Against;
    readonly judged: Judged;
    /** Those whose move cannot be judged; absent: none. */
    readonly submodules?: readonly WorkspacePath[];
    /** For the log. */
    readonly caller?: string;
  },
  signal: AbortSignal,
): Promise<PatchCheck> {
  const { live, overlay, against, judged, scope, timeoutMs, onProgress, caller = 'whatif' } = asked;
  const { workspace } = live;
  const request = { workspace, overlay, against, scope, timeoutMs, onProgress, caller };
  const outcome = await forerun
    .evaluatorOf(live)
    .evaluate({ ...request, ...evaluationProgress(onProgress) }, signal);
  if (outcome.kind === 'stale') throw new EvaluationStale(outcome.paths);
  const { kind: _, ...evaluated } = outcome;
  const check = withUnjudged(evaluated, unjudgedSubmodules(asked.submodules ?? []));
  return { workspace, overlay, judged, ...check, withheld: live.servers.withheld };
}

/** Reports how many files have answered, a hundred times at most, and the errors that are known by then. */
export function evaluationProgress(onProgress: (message: string) => void): {
  readonly onAnswered: NonNullable<EvaluationRequest['onAnswered']>;
  readonly onPartial: NonNullable<EvaluationRequest['onPartial']>;
} {
  let known = '';
  return {
    onAnswered: (answered, of) => {
      if (answered % Math.ceil(of / 100) === 0) onProgress(`${answered} of ${of} files checked${known}`);
    },
    onPartial: (partial) => {
      known = `, ${errorsSoFar(partial)}`;
    },
  };
}

type Patched = { readonly overlay: Overlay; readonly judged: 'patch' | 'applied-patch' };

/** The patches with names relative to the root and to the directory they were made in, the likelier ones first. */
function spellings(
  patches: readonly FilePatch[],
  { root }: Workspace,
  { directory = root }: PatchRequest,
): readonly (readonly FilePatch[])[] {
  const way = relative(root, realPathOf(directory)).split(sep).join('/');
  if (way === '' || way.startsWith('..')) return [patches];
  const fromHere = patches.map(({ oldPath, newPath, ...patch }) => ({
    ...patch,
    ...(oldPath !== undefined && { oldPath: `${way}/${oldPath}` }),
    ...(newPath !== undefined && { newPath: `${way}/${newPath}` }),
  }));
  return isRepositoryTop(root) ? [patches, fromHere] : [fromHere, patches];
}

/** The first spelling that applies. Only if none does is it checked whether the patch is on disk already. */
async function patched(disk: Overlay, spelled: readonly (readonly FilePatch[])[]): Promise<Patched> {
  const rejects: (readonly PatchReject[])[] = [];
  for (const patches of spelled) {
    const forward = await applyPatch(disk, patches);
    if (forward.kind === 'applied') return { overlay: forward.overlay, judged: 'patch' };
    rejects.push(forward.rejects);
  }
  for (const patches of spelled) {
    const applied = await appliedAlready(disk, patches);
    if (applied) return applied;
  }
  throw new PatchRejected(rejects[0] ?? []);
}

async function appliedAlready(disk: Overlay, patches: readonly FilePatch[]): Promise<Patched | undefined> {
  const backward = await applyPatch(disk, reversePatches(patches));
  if (backward.kind === 'rejected') return undefined;
  const without = Overlay.on(backward.overlay);
  const current = (await backward.overlay.changes()).flatMap(({ path, from }) =>
    from === undefined ? [path] : [from, path],
  );
  const entries = current.map(async (path) => [path, (await disk.read(path)) ?? 'removed'] as const);
  return { overlay: without.writeAll(await Promise.all(entries)), judged: 'applied-patch' };
}
