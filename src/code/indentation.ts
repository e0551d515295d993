/**
 * Changes the indentation of code.
 *
 * Invariant: lines keep their relative indentation, and the inside of multi-line strings is not changed.
 */
import { multilineStrings } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';

/** The white space at the beginning of a line. */
export function indentationOf(line: string): string {
  return /^[\t ]*/.exec(line)?.[0] ?? '';
}

/** One level of indentation in a text: a tab if it uses tabs, else the smallest step, else four spaces. */
export function indentationUnit(text: string): string {
  const steps = new Map<number, number>();
  let depth = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || /^\s*\*/.test(line)) continue;
    if (line.startsWith('\t')) return '\t';
    const here = indentationOf(line).length;
    const step = here - depth;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    depth = here;
  }
  const [commonest] = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ' '.repeat(commonest?.[0] ?? 4);
}

/** The code with every line indented by at least `indentation`; its first line may have lost its own. */
export function reindent(code: string, indentation: string, syntax: CodeSyntax): string {
  const lines = code.replace(/\r\n?/g, '\n').split('\n');
  const inside = linesInsideStrings(lines, syntax);
  const counted = lines.flatMap((line, index) =>
    line.trim() === '' || inside.has(index) ? [] : [{ index, width: indentationOf(line).length }],
  );
  const [first, ...rest] = counted;
  const restWidth = Math.min(...rest.map(({ width }) => width));
  const isFirstStripped =
    first?.width === 0 && rest.length > 0 && restWidth > 0 && !opensBlock(lines[first.index] ?? '');
  const common = isFirstStripped ? restWidth : Math.min(...counted.map(({ width }) => width));
  return lines
    .map((line, index) => {
      if (inside.has(index)) return line;
      if (line.trim() === '') return '';
      const isStripped = isFirstStripped && index === first.index;
      return indentation + (isStripped ? line : line.slice(common));
    })
    .join('\n');
}

/** Whether the next line belongs to a deeper level. */
function opensBlock(line: string): boolean {
  return /([:{([,=\\]|=>|->|\b(do|then|else|begin))\s*((\/\/|#|--).*)?$/.test(line) || /^\s*@/.test(line);
}

function linesInsideStrings(lines: readonly string[], syntax: CodeSyntax): ReadonlySet<number> {
  const text = lines.join('\n');
  const inside = new Set<number>();
  for (const { start, end } of multilineStrings(text, syntax)) {
    const firstLine = text.slice(0, start).split('\n').length - 1;
    const lineCount = text.slice(start, end).split('\n').length;
    for (let line = firstLine + 1; line < firstLine + lineCount; line++) inside.add(line);
  }
  return inside;
}
