/**
 * Converts between one-based positions of callers and zero-based positions inside.
 *
 * Invariant: one-based numbers exist only outside of these functions.
 */
import type { Position, Range } from '../text/position.ts';
import { InvalidArgument, MissingArgument } from './failure.ts';

/** Line and column start at 1; the column counts UTF-16 units. */
export interface HumanPosition {
  readonly line: number;
  readonly column: number;
}

export interface HumanRangeInput {
  readonly start_line?: number | undefined;
  readonly start_column?: number | undefined;
  readonly end_line?: number | undefined;
  readonly end_column?: number | undefined;
  readonly range?: { readonly start: HumanPosition; readonly end: HumanPosition } | undefined;
}

function toPosition(position: HumanPosition): Position {
  atLeastOne('line', position.line);
  atLeastOne('column', position.column);
  return { line: position.line - 1, character: position.column - 1 };
}

export function toHuman(position: Position): HumanPosition {
  return { line: position.line + 1, column: position.character + 1 };
}

/** The range given by four numbers, or by the `range` object. */
export function toRange(input: HumanRangeInput): Range {
  const start = input.range?.start ?? {
    line: required('start_line', input.start_line),
    column: required('start_column', input.start_column),
  };
  const end = input.range?.end ?? {
    line: required('end_line', input.end_line),
    column: required('end_column', input.end_column),
  };
  const prefix = input.range ? '' : 'start_';
  atLeastOne(`${prefix}line`, start.line);
  atLeastOne(`${prefix}column`, start.column);
  atLeastOne(input.range ? 'line' : 'end_line', end.line);
  atLeastOne(input.range ? 'column' : 'end_column', end.column);
  if (end.line < start.line || (end.line === start.line && end.column < start.column)) {
    throw new InvalidArgument(`start position ${shown(start)} must not be after end position ${shown(end)}`);
  }
  return { start: toPosition(start), end: toPosition(end) };
}

/** A required number. */
export function required(name: string, value: number | undefined): number {
  if (value === undefined) throw new MissingArgument(`${name}: missing required argument "${name}"`, name);
  return value;
}

/** Refuses numbers below 1. */
export function atLeastOne(name: string, value: number): void {
  if (value < 1)
    throw new InvalidArgument(`${name} must be >= 1, got ${value}`, 'Lines and columns start at 1.');
}

function shown(position: HumanPosition): string {
  return `(${position.line}:${position.column})`;
}
