/**
 * Renders a Markdown table as aligned columns.
 *
 * Invariant: no line is wider than the terminal; a table that does not fit is shown row by row.
 */
import { type StyledLine, span, textOfLine, widthOfLine } from '../line/styled-line.ts';
import { wrapLine } from '../line/wrapped-line.ts';
import { inlineSpans } from './inline-markdown.ts';

export function isTableRow(text: string): boolean {
  return /^\s*\|.*\S/.test(text);
}

/** The lines of a table; undefined if the rows are not a table. */
export function tableLines(rows: readonly string[], columns: number): readonly StyledLine[] | undefined {
  const [head, rule, ...body] = rows;
  if (head === undefined || rule === undefined || !/^[\s|:-]*-[\s|:-]*$/.test(rule)) return undefined;
  const headCells = cellsOf(head).map((cell) => inlineSpans(cell, ['strong']));
  const bodyCells = body.map((row) => cellsOf(row).map((cell) => inlineSpans(cell)));
  const count = Math.max(headCells.length, ...bodyCells.map((cells) => cells.length));
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...[headCells, ...bodyCells].map((cells) => widthOfLine(cells[column] ?? []))),
  );
  const widths = fitted(natural, columns - separator.length * (count - 1));
  if (!widths) return records(headCells, bodyCells, columns);
  const underline = [span(widths.map((width) => '─'.repeat(width)).join('─┼─'), 'faint')];
  return [
    ...rowLines(headCells, widths),
    underline,
    ...bodyCells.flatMap((cells) => rowLines(cells, widths)),
  ];
}

const separator = ' │ ';
const narrowest = 6;

/** Shrinks the widest columns until all fit; undefined if they become too narrow. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return widths;
}

function rowLines(cells: readonly StyledLine[], widths: readonly number[]): readonly StyledLine[] {
  const wrapped = widths.map((columns, column) => wrapLine(cells[column] ?? [], { columns }));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped.flatMap((lines, column) => {
      const cell = lines[row] ?? [];
      const isLast = column === wrapped.length - 1;
      const blank = isLast ? 0 : Math.max(0, (widths[column] ?? 0) - widthOfLine(cell));
      const gap = isLast ? [] : [span(' '.repeat(blank)), span(separator, 'faint')];
      return [...cell, ...gap];
    }),
  );
}

/** Each row as its cells, labelled with the names of their columns. */
function records(
  head: readonly StyledLine[],
  body: readonly (readonly StyledLine[])[],
  columns: number,
): readonly StyledLine[] {
  return body.flatMap((cells, index) => [
    ...(index > 0 ? [[]] : []),
    ...cells.flatMap((cell, column) => {
      const name = textOfLine(head[column] ?? []);
      return wrapLine([span(`${name}: `, 'strong'), ...cell], { columns, hanging: [span('  ')] });
    }),
  ]);
}

/** The cells of a row; an escaped bar belongs to its cell. */
function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
