/** The files of a what-if: their sizes and texts, and the change made again on other text. */
import { type FileChange, moveFile, Overlay } from '../overlay/overlay.ts';
import { compareLines } from '../text/diff.ts';
import { mergedText, placesBetween } from '../text/three-way.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { WhatIfFile } from './protocol/what-if.ts';

/** Texts longer than this are not sent. */
const sentCharacters = 400_000;

export function shownFile(change: FileChange): WhatIfFile {
  const { path, kind, from, before, after } = change;
  const [old, now] = [contentText(before), contentText(after)];
  const isSent = old !== undefined && now !== undefined && old.length + now.length <= sentCharacters;
  return {
    path,
    kind,
    ...(from !== undefined && { from }),
    ...sizeOf(change),
    ...(isSent && { texts: { before: old, after: now } }),
  };
}

/** Lines added and removed. */
export function sizeOf({ before, after }: FileChange): { readonly added: number; readonly removed: number } {
  const hunks = compareLines(contentText(before) ?? '', contentText(after) ?? '');
  return {
    added: hunks.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: hunks.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
  };
}

/** The text of a file; empty for one that is absent, undefined for one that is not text. */
export function contentText(content: FileContent | undefined): string | undefined {
  if (content === undefined) return '';
  return content.kind === 'text' ? content.text : undefined;
}

/** The files whose content is not the one that the change was made on. */
export async function changedBase(
  changes: readonly FileChange[],
  disk: FileSource,
): Promise<readonly WorkspacePath[]> {
  const found = await Promise.all(
    changes.map(async ({ path, from = path, beforeHash }) =>
      hashContent(await disk.read(from)) === beforeHash ? [] : [path],
    ),
  );
  return found.flat();
}

export type RebasedChange =
  | { readonly kind: 'done'; readonly overlay: Overlay }
  /** Both sides changed the same lines, or the text that the change was made on is not known any more. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

/** The same change on the files of another source. */
export async function rebased(changes: readonly FileChange[], onto: FileSource): Promise<RebasedChange> {
  let overlay = Overlay.on(onto);
  const conflicts: WorkspacePath[] = [];
  for (const change of changes) {
    const { path, from = path, after, beforeHash } = change;
    const now = await onto.read(from);
    if (hashContent(now) === beforeHash) overlay = await applied(overlay, change);
    else {
      const text = change.kind === 'modified' ? mergedOn(change, now) : undefined;
      if (text === undefined || after?.kind !== 'text') conflicts.push(path);
      else overlay = overlay.write(path, { ...after, text });
    }
  }
  return conflicts.length > 0 ? { kind: 'conflict', paths: conflicts } : { kind: 'done', overlay };
}

/** The text of a change made on a file that has another content now; undefined if that cannot be said. */
export function mergedOn(
  { before, after, beforeHash }: FileChange,
  now: FileContent | undefined,
): string | undefined {
  if (hashContent(before) !== beforeHash) return undefined;
  const [base, mine, disk] = [before, after, now].map((content) =>
    content?.kind === 'text' ? content.text : undefined,
  );
  if (base === undefined || mine === undefined || disk === undefined) return undefined;
  return mergedText(placesBetween({ base, disk, mine }));
}

async function applied(overlay: Overlay, { path, from, after }: FileChange): Promise<Overlay> {
  const moved = from === undefined ? overlay : await moveFile(overlay, from, path);
  return after === undefined ? moved.remove(path) : moved.write(path, after);
}
