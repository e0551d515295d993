/**
 * The effect of an overlay: every file at which the whole stack of layers differs from the disk.
 *
 * Invariant: one entry per file, also for the files of removed directories; a file with equal content has no entry.
 */
import { type FileChange, Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type OverlayEffect = ReadonlyMap<WorkspacePath, FileContent | 'removed'>;

/** The effect of an empty overlay. */
export const noEffect: OverlayEffect = new Map();

/** The text at a path that shows the effect; where it has no entry, what `onDisk` returns. */
export function textUnder<Path, Text>(
  shown: ReadonlyMap<Path, FileContent | 'removed'>,
  path: Path,
  onDisk: (path: Path) => Text,
): Text | string | undefined {
  const content = shown.get(path);
  if (content === undefined) return onDisk(path);
  return content !== 'removed' && content.kind === 'text' ? content.text : undefined;
}

export async function effectOf(overlay: Overlay): Promise<OverlayEffect> {
  const effect = new Map<WorkspacePath, FileContent | 'removed'>();
  for (const change of await changesOf(overlay)) {
    if (change.from !== undefined) effect.set(change.from, 'removed');
    effect.set(change.path, change.after ?? 'removed');
  }
  return effect;
}

/** The changes of all layers together. An overlay on a Baseline is immutable, so its changes are computed once. */
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

/** The source below all layers. */
export function bottomOf(source: FileSource): FileSource {
  return source instanceof Overlay ? bottomOf(source.base) : source;
}
