import type { Range } from './range.ts';

/** One replacement addressed by position, as LSP writes it. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}
