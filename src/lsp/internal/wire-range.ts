/**
 * Parses ranges strictly.
 *
 * Invariant: an incomplete range is no range; a location is never made up.
 */

import { isRecord } from '../../base/record.ts';
import type { Position, Range } from '../../text/position.ts';

export function readRange(value: unknown): Range | undefined {
  if (!isRecord(value)) return undefined;
  const start = readPosition(value.start);
  const end = readPosition(value.end);
  return start && end && { start, end };
}

function readPosition(value: unknown): Position | undefined {
  if (!isRecord(value)) return undefined;
  const { line, character } = value;
  return isColumn(line) && isColumn(character) ? { line, character } : undefined;
}

function isColumn(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
