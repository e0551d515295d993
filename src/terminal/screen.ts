/**
 * A terminal with scrolling output and a live region below it that is redrawn.
 *
 * Invariant: printed output is never changed; the live region is erased completely, also after the terminal was
 * resized.
 */
import { type Colour, paintLine } from './line/painted-line.ts';
import { type StyledLine, widthOfLine } from './line/styled-line.ts';
import type { LaidOut } from './prompt/prompt-layout.ts';
import type { ScreenSize } from './view/live-view.ts';

/** The output side of a terminal. */
export interface TerminalOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export class Screen {
  readonly colour: Colour;
  readonly #output: TerminalOutput;
  #live: LaidOut | undefined;

  constructor(output: TerminalOutput, colour: Colour) {
    this.#output = output;
    this.colour = colour;
  }

  get size(): ScreenSize {
    const { columns, rows } = this.#output;
    return { columns: Math.max(20, columns || 80), rows: Math.max(4, rows || 24) };
  }

  /** Prints lines and redraws the live region below them. */
  print(lines: readonly StyledLine[], live: LaidOut): void {
    const said = lines.map((each) => `${paintLine(each, this.colour)}\r\n`).join('');
    this.#output.write(`${this.#erased()}${said}${this.#drawn(live)}`);
  }

  /** Redraws the live region. */
  show(live: LaidOut): void {
    this.#output.write(`${this.#erased()}${this.#drawn(live)}`);
  }

  /** Clears the screen; the scrollback stays. */
  clear(live: LaidOut): void {
    this.#live = undefined;
    this.#output.write(`\u001b[2J\u001b[H${this.#drawn(live)}`);
  }

  /** Erases the live region, so that another writer can use the terminal. */
  leave(): void {
    this.#output.write(this.#erased());
  }

  #drawn(live: LaidOut): string {
    this.#live = live;
    const text = live.lines.map((each) => paintLine(each, this.colour)).join('\r\n');
    const up = live.lines.length - 1 - live.cursor.row;
    return `${text}${up > 0 ? `\u001b[${up}A` : ''}\r${live.cursor.column > 0 ? `\u001b[${live.cursor.column}C` : ''}`;
  }

  #erased(): string {
    if (!this.#live) return '';
    const up = rowsAbove(this.#live, this.size.columns);
    this.#live = undefined;
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
  }
}

/**
 * The number of rows between the first line and the cursor. A terminal that became narrower has wrapped long lines.
 */
function rowsAbove({ lines, cursor }: LaidOut, columns: number): number {
  const before = lines
    .slice(0, cursor.row)
    .map((each) => Math.max(1, Math.ceil(widthOfLine(each) / columns)));
  return before.reduce((sum, rows) => sum + rows, 0) + Math.floor(cursor.column / columns);
}
