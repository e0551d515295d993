/**
 * The lines around a diagnostic, with its range marked.
 *
 * Invariant: the carets stand under the characters of the range, also after tabs.
 */
import type { LineIndex, Range } from '../../text/position.ts';
import type { Palette } from '../print/palette.ts';

const contextLines = 2;

export function codeFrame(index: LineIndex, range: Range, palette: Palette): string {
  const { start } = range;
  if (start.line >= index.lineCount) return '';
  const first = Math.max(0, start.line - contextLines);
  const last = Math.min(index.lineCount - 1, start.line + contextLines);
  const width = String(last + 1).length;
  const lines: string[] = [];
  for (let line = first; line <= last; line++) {
    const text = index.lineText(line);
    // A final newline makes an empty last line that editors do not show.
    if (line === last && line !== start.line && line === index.lineCount - 1 && text === '') break;
    const isMarked = line === start.line;
    const gutter = `${isMarked ? palette.error('>') : ' '} ${String(line + 1).padStart(width)} | `;
    lines.push(isMarked ? gutter + text : palette.faint(gutter + text));
    if (isMarked) lines.push(`  ${' '.repeat(width)} | ${palette.error(caret(text, range))}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

function caret(text: string, { start, end }: Range): string {
  const lead = text.slice(0, start.character).replace(/[^\t]/g, ' ');
  const until = end.line === start.line ? Math.min(end.character, text.length) : text.length;
  return lead + '^'.repeat(Math.max(1, until - start.character));
}
