/** Files of ours that hold one JSON object in each line. */
import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';

/** Anything that becomes one line of JSON. */
export type JsonLine = Readonly<Record<string, unknown>>;

const lineSchema = z.record(z.string(), z.unknown());

export function printLine(entry: JsonLine): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Undefined where the line is no object. */
export function parseLine(line: string): JsonLine | undefined {
  return storedValue(line, lineSchema);
}
