/**
 * Which files a change can alter the diagnostics of.
 *
 * Invariant: a file is left out only where it is proved that it cannot see a difference, or where the import graph has no
 * way to it.
 */

import type { Reach } from '../graph/reach/reach-graph.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { affectsServer } from '../servers/file-relevance.ts';
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import { type Against, comparisonBaseOf, overlayBeneath } from './comparison-base.ts';

/**
 * What the change can reach: from the files as they are after it, and from what it is compared with. Where the change
 * leads back to the disk, as one that is applied already does, only the second differs from the disk at all.
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
  // What lies beneath is not on the disk, from which the declarations of all other files are known.
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

/** Whether every project has the same files in whatever is shown, as far as the server can tell. */
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

/** Of what is shown a server is shown what bears on it, as it is of an overlay. */
export function relevant({ located }: ProjectionPlan, shown: OverlayEffect): OverlayEffect {
  return new Map([...shown].filter(([path]) => affectsServer(located.definition, path)));
}
