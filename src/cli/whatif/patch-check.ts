/**
 * Judges a whole patch as one transaction, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged.
 */
import { Failure } from '../../base/failure.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { applyPatch } from '../../overlay/patch.ts';
import type { Withheld } from '../../servers/server-location.ts';
import type { Scope } from '../../servers/way.ts';
import { checkOverlay, type OverlayCheck } from '../../session/overlay-check.ts';
import { type FilePatch, parseUnifiedDiff } from '../../text/unified-diff.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { House } from '../house.ts';

export interface PatchRequest {
  readonly root: string;
  readonly patch: string;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly onProgress: (message: string) => void;
}

export interface PatchCheck extends OverlayCheck {
  readonly workspace: Workspace;
  /** The workspace as the patch would leave it. */
  readonly overlay: Overlay;
  /** What the workspace offers and was not used, since it is not trusted. */
  readonly withheld: readonly Withheld[];
}

class PatchRejected extends Failure {
  readonly code = 'cli/patch-rejected';
  readonly remedy = 'Make the patch against the files as they are now, or name their directory with --root.';

  constructor(rejects: readonly { readonly path: string; readonly hunk: number; readonly reason: string }[]) {
    const lines = rejects.map(
      ({ path, hunk, reason }) => `  ${path}${hunk > 0 ? ` (hunk ${hunk})` : ''}: ${reason}`,
    );
    super(`the patch does not apply:\n${lines.join('\n')}`);
  }
}

export async function checkPatch(
  house: House,
  request: PatchRequest,
  signal: AbortSignal,
): Promise<PatchCheck> {
  const { executor, workspace } = await house.workspaces.open(request.root, signal);
  const overlay = await patched(executor.emptyOverlay(), parseUnifiedDiff(request.patch));
  const check = await checkOverlay(executor, { ...request, overlay }, signal);
  return { workspace, overlay, ...check, withheld: executor.withheld };
}

async function patched(overlay: Overlay, patches: readonly FilePatch[]): Promise<Overlay> {
  const outcome = await applyPatch(overlay, patches);
  if (outcome.kind === 'rejected') throw new PatchRejected(outcome.rejects);
  return outcome.overlay;
}
