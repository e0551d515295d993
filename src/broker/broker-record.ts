/**
 * The record by which clients find a broker.
 *
 * Invariant: readers see a complete record; one that cannot be read counts as absent.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';

const recordSchema = z
  .object({
    root_dir: z.string(),
    language_id: z.string(),
    server: z.string(),
    command: z.array(z.string()).readonly(),
    socket_path: z.string(),
    pid: z.number(),
    /** Whether a server runs and has loaded the workspace. */
    ready: z.boolean(),
    start_time: z.string(),
    last_activity: z.string(),
    /** Of the program. */
    version: z.string(),
    identity: z.string(),
  })
  .readonly();

export type BrokerRecord = z.infer<typeof recordSchema>;

export function readRecord(file: string): BrokerRecord | undefined {
  return storedValue(textOf(file), recordSchema);
}

export function writeRecord(file: string, record: BrokerRecord): void {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

/** Empty if it cannot be read: a record may be removed at any time. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
