/**
 * What a broker writes down so that others find it.
 *
 * Invariant: whoever reads it sees it whole; what cannot be read is as good as not there.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface BrokerRecord {
  readonly root_dir: string;
  readonly language_id: string;
  readonly server: string;
  readonly command: readonly string[];
  readonly socket_path: string;
  readonly pid: number;
  /** Whether a server runs and has loaded the workspace. */
  readonly ready: boolean;
  readonly start_time: string;
  readonly last_activity: string;
  /** Of the program. */
  readonly version: string;
  readonly identity: string;
}

export function readRecord(file: string): BrokerRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(file: string, record: BrokerRecord): void {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

function isRecord(value: unknown): value is BrokerRecord {
  if (typeof value !== 'object' || value === null) return false;
  const texts = [
    'root_dir',
    'language_id',
    'server',
    'socket_path',
    'start_time',
    'last_activity',
    'version',
    'identity',
  ];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    typeof Reflect.get(value, 'pid') === 'number' &&
    typeof Reflect.get(value, 'ready') === 'boolean' &&
    Array.isArray(Reflect.get(value, 'command'))
  );
}
