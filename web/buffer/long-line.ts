/** A line so long that parsing and drawing colours for it would block typing. */
import type { Text } from '@codemirror/state';

const longest = 20_000;

export function longLine(text: Text): { readonly number: number; readonly length: number } | undefined {
  // A text without a long line cannot be longer than its lines allow; most files end here.
  if (text.length <= longest) return undefined;
  const lines = text.iterLines();
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.length > longest) return { number, length: line.length };
  }
  return undefined;
}
