/**
 * An overlay that changes files under each name that links in the workspace give them.
 *
 * A server that shows text in buffers reads a link from the disk, and a compiler that does not resolve links takes each name
 * for a file of its own: both would see the change under one name only.
 */
import { type LayerEntry, Overlay } from '../overlay/overlay.ts';
import type { LinkNames } from '../workspace/link-names.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export function underEachName(overlay: Overlay, names: LinkNames): Overlay {
  const base = overlay.base instanceof Overlay ? underEachName(overlay.base, names) : overlay.base;
  const layer = overlay.layer();
  const linked = [...layer].flatMap(([path, entry]) =>
    namesFor(path, entry, names).map((name) => [name, entry] as const),
  );
  const more = linked.filter(([name]) => !layer.has(name));
  if (more.length === 0 && base === overlay.base) return overlay;
  return Overlay.on(base, { layer: new Map([...layer, ...more]), renames: overlay.renames() });
}

/** Where a path becomes a link itself, the links to it lead elsewhere by then. */
function namesFor(path: WorkspacePath, entry: LayerEntry, names: LinkNames): readonly WorkspacePath[] {
  if (entry === 'removed') return [...names.of(path), ...names.into(path)];
  return entry.kind === 'symlink' ? [] : names.of(path);
}
