/**
 * Changes a tree of files from one overlay to another.
 *
 * Invariant: only paths in which the two overlays differ are touched.
 */
import type { Overlay } from '../../overlay/overlay.ts';
import { ancestorsOf, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { FileView } from './file-view.ts';

/** Returns the paths that were written or removed. */
export async function showOverlay(
  view: FileView,
  { from, to }: { readonly from: Overlay | undefined; readonly to: Overlay },
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  const before: ReturnType<Overlay['layer']> = from?.flattened().layer() ?? new Map();
  const after = to.flattened().layer();
  const touched = new Set<WorkspacePath>();
  const isBelow = (path: WorkspacePath, places: { has(place: WorkspacePath): boolean }): boolean =>
    ancestorsOf(path).some((ancestor) => places.has(ancestor));
  for (const path of before.keys()) {
    signal.throwIfAborted();
    if (after.has(path) || isBelow(path, after)) continue;
    await view.restore(path);
    touched.add(path);
  }
  const changed = [...after].filter(([path, entry]) => before.get(path) !== entry);
  for (const [path, entry] of changed) {
    if (entry !== 'removed') continue;
    await view.remove(path);
    touched.add(path);
  }
  // Entries below a directory that was just restored or removed are gone with it.
  for (const [path, entry] of after) {
    signal.throwIfAborted();
    if (entry === 'removed' || (before.get(path) === entry && !isBelow(path, touched))) continue;
    await view.write(path, entry);
    touched.add(path);
  }
  return [...touched];
}
