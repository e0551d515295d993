/**
 * Which files may have other diagnostics after a change.
 *
 * Invariant: a file is omitted only if it is proved that the change is invisible to it, or if the import graph has no
 * path to it.
 */

import type { Reach } from '../graph/reach/reach-graph.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { affectsServer } from '../servers/file-relevance.ts';
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import { type Against, comparisonBaseOf, overlayBeneath } from './comparison-base.ts';

/**
 * The files a change can affect, computed from the files after it and from the base it is compared with. If the
 * change restores the disk, as one that is applied already does, only the base differs from the disk.
 */
export async function reachOf(
  live: LiveWorkspace,
  {
    overlay,
    against,
    plan,
  }: { readonly overlay: Overlay; readonly against: Against; readonly plan: ProjectionPlan },
  signal: AbortSignal,
): Promise<Reach> {
  const parent = overlayBeneath(overlay, against);
  // No proof with layers beneath: the declarations of other files are known for the disk only.
  const proved = parent ? undefined : await live.reach.proved(overlay, plan, signal);
  const holds = async (): Promise<boolean> => {
    const { shown } = await comparisonBaseOf(live, { overlay, against }, () => true);
    const base = { ...plan, effect: relevant(plan, shown) };
    return haveSameFiles(live, [base, plan], signal);
  };
  if (proved && (proved.condition === undefined || (await holds()))) return proved;
  const after = await live.reach.of(overlay, plan, signal);
  if (!parent) return after;
  const before = await live.reach.of(parent, plan, signal);
  return {
    files: [...new Set([...after.files, ...before.files])],
    complete: after.complete && before.complete,
  };
}

/** Whether every project contains the same files under all overlays compared, as far as the server reports. */
async function haveSameFiles(
  live: LiveWorkspace,
  showings: readonly ProjectionPlan[],
  signal: AbortSignal,
): Promise<boolean> {
  const lists = new Set<string | undefined>();
  for (const plan of showings) {
    await using lease = await live.servers.lease(plan, signal);
    lists.add(await lease.projectFiles(signal));
  }
  return lists.size === 1 && !lists.has(undefined);
}

/** The part of an effect that affects the server, as for an overlay. */
export function relevant({ located }: ProjectionPlan, shown: OverlayEffect): OverlayEffect {
  return new Map([...shown].filter(([path]) => affectsServer(located.definition, path)));
}
