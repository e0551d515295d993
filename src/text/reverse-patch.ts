import type { Hunk, HunkLine } from './hunk.ts';
import type { FilePatch } from './unified-diff.ts';

/**
 * The patches that undo these, last file first.
 *
 * Invariant: to apply the result after the patches gives the text there was before them; to reverse twice gives the same patches.
 */
export function reversePatches(patches: readonly FilePatch[]): readonly FilePatch[] {
  return [...patches].reverse().map(reversed);
}

/** A copy is undone by deleting it; what it was made from has not changed. */
function reversed(patch: FilePatch): FilePatch {
  const { kind, oldPath, newPath, oldMode, newMode, hunks } = patch;
  const paths = {
    ...(newPath !== undefined && { oldPath: newPath }),
    ...(oldPath !== undefined && { newPath: oldPath }),
    ...(newMode !== undefined && { oldMode: newMode }),
    ...(oldMode !== undefined && { newMode: oldMode }),
  };
  return { kind: opposites[kind] ?? kind, ...paths, hunks: hunks.map(reversedHunk) };
}

const opposites: Partial<Readonly<Record<FilePatch['kind'], FilePatch['kind']>>> = {
  created: 'deleted',
  deleted: 'created',
};

/** Removed lines stand before added ones within a stretch of changes, as diff programs print them. */
function reversedHunk({ oldStart, oldCount, newStart, newCount, section, lines }: Hunk): Hunk {
  const turned: HunkLine[] = [];
  let added: HunkLine[] = [];
  for (const { kind, text } of lines) {
    if (kind === 'context') {
      turned.push(...added, { kind, text });
      added = [];
    } else if (kind === 'removed') added.push({ kind: 'added', text });
    else turned.push({ kind: 'removed', text });
  }
  return {
    oldStart: newStart,
    oldCount: newCount,
    newStart: oldStart,
    newCount: oldCount,
    ...(section !== undefined && { section }),
    lines: [...turned, ...added],
  };
}
