/** The text of a symbol, as whole lines. */
import { LineIndex } from '../text/position.ts';
import type { CodeSymbol } from './symbol.ts';

export interface SymbolSource {
  /** Zero-based; the last line is inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export function symbolSource(text: string, { range }: CodeSymbol): SymbolSource {
  const index = new LineIndex(text);
  const last = index.lineCount - 1;
  const startLine = Math.min(range.start.line, last);
  // A range that ends at the beginning of a line includes nothing of that line.
  const stopsBefore = range.end.character === 0 && range.end.line > range.start.line;
  const endLine = Math.max(startLine, Math.min(stopsBefore ? range.end.line - 1 : range.end.line, last));
  return { startLine, endLine, text: text.slice(index.lineStart(startLine), index.lineEnd(endLine)) };
}
