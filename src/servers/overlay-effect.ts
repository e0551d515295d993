/**
 * An overlay as a server must be shown it: every file at which the whole stack differs from the disk.
 *
 * Invariant: one entry per file, removed directories spelled out; equal content is no entry.
 */
import { type FileChange, Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type OverlayEffect = ReadonlyMap<WorkspacePath, FileContent | 'removed'>;

/** The effect of showing the disk as it is. */
export const noEffect: OverlayEffect = new Map();

export async function effectOf(overlay: Overlay): Promise<OverlayEffect> {
  const effect = new Map<WorkspacePath, FileContent | 'removed'>();
  for (const change of await changesOf(overlay)) {
    if (change.from !== undefined) effect.set(change.from, 'removed');
    effect.set(change.path, change.after ?? 'removed');
  }
  return effect;
}

/**
 * What all layers together change. Both sides of an overlay on a Baseline are frozen, so its answer is
 * computed once, however often the overlay is shown.
 */
export function changesOf(overlay: Overlay): Promise<readonly FileChange[]> {
  if (overlay.isEmpty && !(overlay.base instanceof Overlay)) return noChanges;
  if (!(bottomOf(overlay) instanceof Baseline)) return overlay.changes('stack');
  const known = computed.get(overlay);
  if (known) return known;
  const changes = overlay.changes('stack');
  computed.set(overlay, changes);
  return changes;
}

const computed = new WeakMap<Overlay, Promise<readonly FileChange[]>>();
const noChanges: Promise<readonly FileChange[]> = Promise.resolve([]);

/** The source that the whole stack lies on. */
export function bottomOf(source: FileSource): FileSource {
  return source instanceof Overlay ? bottomOf(source.base) : source;
}
