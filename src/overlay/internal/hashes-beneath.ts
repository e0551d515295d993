import { absentHash, type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Overlay } from '../overlay.ts';

/** The hashes of the base at every path that the layer contains or hides. */
export async function hashesBeneath(overlay: Overlay): Promise<Map<WorkspacePath, ContentHash>> {
  const hashes = new Map<WorkspacePath, ContentHash>();
  // A path that is not among the changes has the same content in the base and in the layer.
  for (const [path, entry] of overlay.layer()) {
    hashes.set(path, entry === 'removed' ? absentHash : hashContent(entry));
  }
  for (const { path, from, beforeHash } of await overlay.changes()) {
    hashes.set(path, from === undefined ? beforeHash : absentHash);
    if (from !== undefined) hashes.set(from, beforeHash);
  }
  return hashes;
}
