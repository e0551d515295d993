/**
 * The right to be the broker of a directory: the lock on the file that names the broker's process.
 *
 * Invariant: at most one living process has the claim; it ends with the process at the latest.
 */
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { FileLock, lockHolder } from '../process/file-lock.ts';
import type { ProcessMark } from '../process/living-process.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import type { BrokerPaths } from './broker-paths.ts';
import { readRecord } from './broker-record.ts';

export class BrokerClaim implements Disposable {
  readonly #place: BrokerPaths;
  readonly #lock: FileLock;

  private constructor(place: BrokerPaths, lock: FileLock) {
    this.#place = place;
    this.#lock = lock;
  }

  /** Undefined if a living process has it, or is just acquiring it. */
  static take(place: BrokerPaths): BrokerClaim | undefined {
    const makeDirectory = (): void => makePrivateDirectory(place.directory);
    makeDirectory();
    const lock = FileLock.tryAcquire({ file: place.owner, makeDirectory });
    return lock && new BrokerClaim(place, lock);
  }

  /** Whether the claim is still ours; false if a user removed or replaced the file. */
  get isOurs(): boolean {
    return this.#lock.isHeld;
  }

  /** Removes the record and the socket, so that clients no longer find this broker. */
  withdraw(): void {
    if (!this.isOurs) return;
    const { record, socket } = this.#place;
    const written = readRecord(record)?.socket_path;
    for (const file of [record, socket, written, ...halfWritten(this.#place)]) {
      if (file !== undefined && !isPipe(file)) rmSync(file, { force: true });
    }
  }

  /** Removes all files of this broker, unless another process has the claim by now. */
  [Symbol.dispose](): void {
    if (!this.isOurs) return;
    this.withdraw();
    this.#lock.sweep();
    this.#lock[Symbol.dispose]();
    try {
      rmdirSync(this.#place.directory);
    } catch (thrown) {
      // Another process has begun to use the directory.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  }
}

/** The living process that has the claim. */
export function ownerOf({ owner }: Pick<BrokerPaths, 'owner'>): ProcessMark | undefined {
  return lockHolder(owner);
}

/** Records left by a process that was killed while writing one. */
function halfWritten({ directory, record }: BrokerPaths): readonly string[] {
  const beside = `${basename(record)}.`;
  const names = readdirSync(directory).filter((name) => name.startsWith(beside));
  return names.map((name) => join(directory, name));
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\');
}
