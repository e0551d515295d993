/**
 * A position given as numbers, or as a quotation with a marker in it.
 *
 * Invariant: the position lies in the text; a column beyond the end of its line means the end of the line.
 */

import { LineIndex, type Position } from '../text/position.ts';
import { InvalidArgument } from './failure.ts';
import { atLeastOne, required, text, whole } from './parameter.ts';

/** The parameters of all tools that take a position. */
export const positionInput = {
  line: whole('Line, from 1. Required unless position_pattern is given.').optional(),
  column: whole('Column in UTF-16 units, from 1. Required unless position_pattern is given.').optional(),
  position_pattern: text(
    'Instead of line and column: text of the file with @@ right before the intended character.',
  ).optional(),
  line_scope_start: whole('First line to search for position_pattern, from 1.').optional(),
  line_scope_end: whole('Last line to search for position_pattern, from 1.').optional(),
};

export interface PositionInput {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly position_pattern?: string | undefined;
  readonly line_scope_start?: number | undefined;
  readonly line_scope_end?: number | undefined;
}

export function readPosition(input: PositionInput, text: string): Position {
  const index = new LineIndex(text);
  if (input.position_pattern) return findPattern(input, input.position_pattern, index);
  const line = fromOne('line', input.line);
  const column = fromOne('column', input.column);
  if (line > index.lineCount) {
    throw new InvalidArgument(
      `line ${line} exceeds file length ${index.lineCount}`,
      `Use a line from 1 to ${index.lineCount}; the file may have changed.`,
    );
  }
  return { line: line - 1, character: Math.min(column - 1, index.lineText(line - 1).length) };
}

const marker = '@@';

function findPattern(input: PositionInput, pattern: string, index: LineIndex): Position {
  const [prefix, suffix, ...more] = pattern.split(marker);
  if (prefix === undefined || suffix === undefined) {
    throw new InvalidArgument(
      'position_pattern must contain @@ marker',
      'Put @@ right before the intended character.',
    );
  }
  if (more.length > 0) throw new InvalidArgument('position_pattern must contain exactly one @@ marker');
  const scope = readScope(input, index);
  const stretch = index.text.slice(scope.start, scope.end);
  for (const [before, after] of spellings(prefix, suffix, index.text)) {
    const at = stretch.indexOf(before + after);
    if (at >= 0) return index.positionAt(scope.start + at + before.length);
  }
  const place = scope.lines === undefined ? 'file' : `lines ${scope.lines}`;
  throw new InvalidArgument(
    `position_pattern not found in ${place}: ${JSON.stringify(pattern)}`,
    'Quote the file exactly, including white space; the @@ is ignored.',
  );
}

/** A quotation has plain line ends even if the file has CRLF. */
function spellings(prefix: string, suffix: string, text: string): readonly (readonly [string, string])[] {
  const asGiven = [prefix, suffix] as const;
  if (!text.includes('\r\n') || !/(?<!\r)\n/.test(prefix + suffix)) return [asGiven];
  const withReturns = (part: string): string => part.replace(/(?<!\r)\n/g, '\r\n');
  return [asGiven, [withReturns(prefix), withReturns(suffix)]];
}

interface Scope {
  readonly start: number;
  readonly end: number;
  /** The requested lines; absent for the whole file. */
  readonly lines?: string;
}

function readScope(input: PositionInput, index: LineIndex): Scope {
  const { line_scope_start: first = 0, line_scope_end: last = 0 } = input;
  if (first === 0 && last === 0) return { start: 0, end: index.text.length };
  if (first < 0) throw new InvalidArgument(`line_scope_start must be >= 1, got ${first}`);
  const from = first === 0 ? 1 : first;
  if (last !== 0 && last < from) {
    throw new InvalidArgument(`line_scope_end (${last}) must be >= line_scope_start (${from})`);
  }
  if (from > index.lineCount) {
    throw new InvalidArgument(`line_scope_start ${from} exceeds file length ${index.lineCount}`);
  }
  const to = last === 0 ? index.lineCount : Math.min(last, index.lineCount);
  const end = to < index.lineCount ? index.lineStart(to) : index.text.length;
  return { start: index.lineStart(from - 1), end, lines: `${from}-${to}` };
}

function fromOne(name: 'line' | 'column', value: number | undefined): number {
  const number = required(name, value);
  atLeastOne(name, number);
  return number;
}
