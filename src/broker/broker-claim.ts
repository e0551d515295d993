/**
 * The right to be the broker of a place.
 *
 * Everything here is done without letting go of the process: the claim on claims is held for microseconds, so one
 * that is found is held by somebody this very moment, or was left by a process killed in the middle of it.
 *
 * Invariant: at most one living process has the claim; it ends with the process at the latest.
 */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { isLiving, ownMark, type ProcessMark } from '../process/living-process.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import type { BrokerPlace } from './broker-place.ts';
import { readRecord } from './broker-record.ts';

export class BrokerClaim implements Disposable {
  readonly #place: BrokerPlace;

  private constructor(place: BrokerPlace) {
    this.#place = place;
  }

  /** Undefined when a living process has it, or is just taking it. */
  static take(place: BrokerPlace): BrokerClaim | undefined {
    makePrivateDirectory(place.directory);
    return guarded(place.directory, () => {
      if (ownerOf(place)) return undefined;
      const { pid, started } = ownMark();
      writeFileSync(place.owner, `${pid}\n${started}\n`, { mode: 0o600 });
      return new BrokerClaim(place);
    });
  }

  /** Whether the claim is still ours; false when somebody has meddled with the files. */
  get isOurs(): boolean {
    return ownerOf(this.#place)?.pid === process.pid;
  }

  /** Takes the word back that a broker can be reached here. */
  withdraw(): void {
    if (!this.isOurs) return;
    const { record, socket } = this.#place;
    const written = readRecord(record)?.socket_path;
    for (const file of [record, socket, written, ...halfWritten(this.#place)]) {
      if (file !== undefined && !isPipe(file)) rmSync(file, { force: true });
    }
  }

  /** Leaves the place as if nobody had been there, unless it is somebody else's by now. */
  [Symbol.dispose](): void {
    if (!this.isOurs) return;
    this.withdraw();
    rmSync(this.#place.owner, { force: true });
    try {
      rmdirSync(this.#place.directory);
    } catch (thrown) {
      // Somebody has begun to use it again.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  }
}

/** The living process that has the claim on a place. */
export function ownerOf(place: Pick<BrokerPlace, 'owner'>): ProcessMark | undefined {
  const [pid, started = ''] = textOf(place.owner).split('\n');
  const mark = { pid: Number(pid), started };
  return Number.isInteger(mark.pid) && mark.pid > 0 && isLiving(mark) ? mark : undefined;
}

/** Older than any work under it can take. */
const abandonedAfterMs = 5000;

function guarded<T>(directory: string, work: () => T): T | undefined {
  const lock = join(directory, 'claim.lock');
  if (!create(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < abandonedAfterMs) return undefined;
    rmSync(lock, { force: true });
    if (!create(lock)) return undefined;
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function create(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (thrown) {
    // The directory goes when its last user leaves.
    if (errnoOf(thrown) === 'EEXIST' || errnoOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Records that a process was killed over. */
function halfWritten({ directory, record }: BrokerPlace): readonly string[] {
  const beside = `${basename(record)}.`;
  const names = readdirSync(directory).filter((name) => name.startsWith(beside));
  return names.map((name) => join(directory, name));
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\');
}
