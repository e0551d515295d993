/**
 * A place in code as tools answer it: the path of its file, lines and columns from 1.
 *
 * Invariant: a place that is in no file of this machine keeps the name its server gave it.
 */
import type { CodeLocation } from '../code/location.ts';
import { fromFileUri } from '../workspace/file-uri.ts';
import { toHuman } from './human-position.ts';

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

/** The path of a URI, or the URI itself where it names no file here. */
export function fileOf(uri: string): string {
  return fromFileUri(uri) ?? uri;
}
