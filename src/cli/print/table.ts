/**
 * Rows of aligned cells.
 *
 * Invariant: colour does not count as width, and no line ends with blanks.
 */
export interface Cell {
  readonly text: string;
  readonly align?: 'left' | 'right';
  readonly paint?: (text: string) => string;
}

export function tableText(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    }
  }
  return rows.map((row) => `${lineText(row, widths)}\n`).join('');
}

function lineText(row: readonly Cell[], widths: readonly number[]): string {
  const cells = row.map(({ text, align = 'left', paint = plain }, column) => {
    const blanks = ' '.repeat((widths[column] ?? 0) - text.length);
    return align === 'right' ? blanks + paint(text) : paint(text) + blanks;
  });
  return cells.join('  ').trimEnd();
}

function plain(text: string): string {
  return text;
}
