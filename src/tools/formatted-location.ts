/**
 * A code location in tool answers: file path, one-based lines and columns.
 *
 * Invariant: a location outside the file system keeps its URI.
 */
import type { CodeLocation } from '../code/location.ts';
import { fromFileUri } from '../workspace/workspace.ts';
import { toHuman } from './parameter.ts';

export interface FormattedLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

export function formattedLocation({ uri, range }: Pick<CodeLocation, 'uri' | 'range'>): FormattedLocation {
  const start = toHuman(range.start);
  const end = toHuman(range.end);
  return {
    file: fileOf(uri),
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
  };
}

/** The path of a file URI; any other URI unchanged. */
export function fileOf(uri: string): string {
  return fromFileUri(uri) ?? uri;
}
