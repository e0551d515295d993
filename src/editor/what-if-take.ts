/**
 * The texts that buffers get when a what-if is taken into them.
 *
 * Invariant: unsaved text of the user is merged with, never replaced; where both changed the same lines, nothing is taken.
 */
import type { FileChange } from '../overlay/overlay.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { BufferContent } from './buffer.ts';
import type { Buffers } from './buffers.ts';
import { mergedOn } from './what-if-change.ts';

export interface TakenText {
  readonly path: WorkspacePath;
  /** What the disk holds, for a buffer that is not open yet. */
  readonly disk: BufferContent;
  readonly text: string;
}

export async function takenTexts(
  changes: readonly FileChange[],
  buffers: Buffers,
  source: FileSource,
): Promise<
  | { readonly kind: 'done'; readonly texts: readonly TakenText[] }
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] }
> {
  const texts: TakenText[] = [];
  const conflicts: WorkspacePath[] = [];
  for (const change of changes) {
    const { path } = change;
    const disk = await source.read(path);
    const now = buffers.get(path)?.content ?? disk;
    const text = mergedOn(change, now);
    if (text === undefined || disk?.kind !== 'text') conflicts.push(path);
    else texts.push({ path, disk, text });
  }
  return conflicts.length > 0 ? { kind: 'conflict', paths: conflicts } : { kind: 'done', texts };
}
