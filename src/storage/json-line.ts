/** Files with one JSON object per line. */
import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';

/** Any object that is serialised as one line of JSON. */
export type JsonLine = Readonly<Record<string, unknown>>;

const lineSchema = z.record(z.string(), z.unknown());

export function printLine(entry: JsonLine): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Undefined if the line is not an object. */
export function parseLine(line: string): JsonLine | undefined {
  return storedValue(line, lineSchema);
}
