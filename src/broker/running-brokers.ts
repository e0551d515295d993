/**
 * The running brokers of this user, according to their directories.
 *
 * Invariant: files of a dead broker are removed when they are found, and nothing of a living one.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { workspaceKeyPattern } from '../storage/workspace-key.ts';
import { BrokerClaim, ownerOf } from './broker-claim.ts';
import { type BrokerPaths, brokersIn, filesIn } from './broker-paths.ts';
import { type BrokerRecord, readRecord } from './broker-record.ts';

export interface KnownBroker {
  readonly directory: string;
  /** The file that names its process. */
  readonly owner: string;
  readonly pid: number;
  /** The start time of its process, which distinguishes it from another process with the same id. */
  readonly started: string;
  /** Absent while it is starting or stopping. */
  readonly record: BrokerRecord | undefined;
}

/** The living brokers; removes the files of dead ones first. */
export function knownBrokers(home: string, env: Environment): readonly KnownBroker[] {
  sweepBrokers(home, env);
  return directoriesIn(home).flatMap((directory) => {
    const { owner, record } = filesIn(directory, env);
    const mark = ownerOf({ owner });
    return mark ? [{ directory, owner, ...mark, record: readRecord(record) }] : [];
  });
}

/** Removes the files of dead brokers. */
export function sweepBrokers(home: string, env: Environment): void {
  for (const directory of directoriesIn(home)) sweepBroker(directory, env);
}

/** Removes the files of the broker in a directory, if it is dead. */
export function sweepBroker(directory: string, env: Environment): void {
  const place: BrokerPaths = filesIn(directory, env);
  // Taking and releasing the claim removes everything.
  if (!ownerOf(place)) BrokerClaim.take(place)?.[Symbol.dispose]();
}

function directoriesIn(home: string): readonly string[] {
  const parent = brokersIn(home);
  try {
    return readdirSync(parent)
      .filter((name) => workspaceKeyPattern.test(name))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}
