/** Matching lines and the lines around them, each once, with a gap where lines were omitted. */
import { type FileMatches, linesOf } from './text-search.ts';

export interface ContextSize {
  readonly before: number;
  readonly after: number;
}

export type ContextLine =
  | { readonly kind: 'match' | 'context'; readonly number: number; readonly text: string }
  | { readonly kind: 'gap' };

export function contextLines(
  { text, matching }: FileMatches,
  { before, after }: ContextSize,
): readonly ContextLine[] {
  const lines = linesOf(text);
  const matches = new Set(matching);
  const shown: ContextLine[] = [];
  let next = 0;
  for (const line of matching) {
    const start = Math.max(next, line - before);
    if (start > next && shown.length > 0 && before + after > 0) shown.push({ kind: 'gap' });
    const end = Math.min(lines.length - 1, line + after);
    for (let each = start; each <= end; each += 1) {
      shown.push({
        kind: matches.has(each) ? 'match' : 'context',
        number: each + 1,
        text: lines[each] ?? '',
      });
    }
    next = Math.max(next, end + 1);
  }
  return shown;
}
