/**
 * Which unchanged headers are asked by themselves after a unit has shown one error of an include: those that name what
 * changed.
 *
 * Invariant: the choice only adds errors that are known; a header that is not chosen remains a doubt.
 */
import type { FileChange } from '../../overlay/overlay.ts';
import { compareLines } from '../../text/diff.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/** At most `limit` of the headers; those that name more of the words in changed lines first. */
export async function headersNaming(
  changes: readonly FileChange[],
  headers: readonly WorkspacePath[],
  { textOf, limit }: { readonly textOf: (path: WorkspacePath) => Promise<string | undefined>; limit: number },
): Promise<readonly WorkspacePath[]> {
  const changed = changedWords(changes);
  const named: { readonly path: WorkspacePath; readonly count: number }[] = [];
  for (const path of headers) {
    const words = wordsOf((await textOf(path)) ?? '');
    const count = [...changed].filter((word) => words.has(word)).length;
    if (count > 0) named.push({ path, count });
  }
  return named
    .sort((a, b) => b.count - a.count)
    .slice(0, limit)
    .map(({ path }) => path);
}

/** The names in the lines that differ. Files that come or go have no such lines: who includes them has an error there. */
function changedWords(changes: readonly FileChange[]): ReadonlySet<string> {
  const lines = changes.flatMap(({ before, after }) => {
    if (before?.kind !== 'text' || after?.kind !== 'text') return [];
    const [old, now] = [before.text.split('\n'), after.text.split('\n')];
    return compareLines(before.text, after.text).flatMap((hunk) => [
      ...old.slice(hunk.oldStart, hunk.oldEnd),
      ...now.slice(hunk.newStart, hunk.newEnd),
    ]);
  });
  return wordsOf(lines.join('\n'));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => !common.has(word)));
}

/** Words that nearly every header has, and that say nothing of what it uses. */
const common = new Set(
  `auto bool break case char class const constexpr continue default delete do double else enum explicit extern
  false float for friend if inline int long mutable namespace new noexcept nullptr operator override private protected
  public return short signed size_t sizeof static std string struct switch template this throw true typedef typename
  union unsigned using virtual void volatile while include define ifdef ifndef endif pragma once`.split(
    /\s+/,
  ),
);
