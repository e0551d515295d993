/**
 * The formats of `forerun whatif`. A format is data and one function over the report.
 *
 * Invariant: rendering changes nothing and asks no server; every format renders every report.
 */
import type { Palette } from '../../print/palette.ts';
import type { Report } from './report.ts';

export interface ReportFormat {
  readonly name: string;
  /** For the help. */
  readonly about: string;
  /** The palette is for formats that people read on a terminal. */
  render(report: Report, palette: Palette): string | Promise<string>;
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
