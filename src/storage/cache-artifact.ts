/**
 * The answers of a reference cache as one compressed file for other machines and checkouts.
 *
 * Invariant: the file contains answers and nothing about this machine; a file that is too large, damaged or has
 * another schema is refused before any of it is used.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Failure, messageOf } from '../base/failure.ts';
import { hasOurTables, holdsTogether } from './cache-schema.ts';
import { openDatabase } from './database.ts';

/** Larger than any file of ours, and small enough to be read into memory. */
export const maximumPackedBytes: number = 64 * 1024 * 1024;
const maximumUnpackedBytes = 256 * 1024 * 1024;

export class UnusableArtifact extends Failure {
  readonly code = 'storage/unusable-artifact';
  readonly remedy = 'Export the cache again at its source; the cache here is unchanged.';
}

interface PackedAnswer {
  readonly key: string;
  readonly fingerprint: string;
  readonly value: string;
}

/** Removes machine-specific data from a copy of a cache, and compresses the rest. */
export async function packAnswers(copy: string, signal: AbortSignal): Promise<Uint8Array> {
  const database = await openDatabase(copy);
  try {
    for (const table of ['facts', 'programs']) database.exec(`DELETE FROM ${table}`);
    database.exec('VACUUM');
    // Merges the write-ahead log into the file.
    database.all('PRAGMA journal_mode = DELETE');
  } finally {
    database[Symbol.dispose]();
  }
  signal.throwIfAborted();
  return promisify(gzip)(readFileSync(copy));
}

/** The answers in a packed file; `scratch` is a path at which it may be unpacked. */
export async function unpackAnswers(
  packed: Uint8Array,
  scratch: string,
  signal: AbortSignal,
): Promise<readonly PackedAnswer[]> {
  if (packed.byteLength > maximumPackedBytes) throw new UnusableArtifact('the file is too large');
  const bytes = await unpacked(packed);
  signal.throwIfAborted();
  writeFileSync(scratch, bytes, { mode: 0o600 });
  try {
    return await answersIn(scratch);
  } catch (thrown) {
    if (thrown instanceof UnusableArtifact) throw thrown;
    throw new UnusableArtifact(`the file is not a reference cache: ${messageOf(thrown)}`, { cause: thrown });
  }
}

async function unpacked(packed: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: maximumUnpackedBytes });
  } catch (thrown) {
    throw new UnusableArtifact(`the file cannot be unpacked: ${messageOf(thrown)}`, { cause: thrown });
  }
}

async function answersIn(file: string): Promise<readonly PackedAnswer[]> {
  const database = await openDatabase(file);
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    if (!holdsTogether(database, 'integrity_check')) throw new UnusableArtifact('the file is damaged');
    if (!hasOurTables(database)) throw new UnusableArtifact('the file has another schema');
    return database.all('SELECT key, fingerprint, value FROM answers').flatMap((row) => {
      const { key, fingerprint, value } = row;
      const isWhole = typeof key === 'string' && typeof fingerprint === 'string' && typeof value === 'string';
      return isWhole ? { key, fingerprint, value } : [];
    });
  } finally {
    database[Symbol.dispose]();
  }
}
