/**
 * A lock between processes: a file that names its holder.
 *
 * Terms. The *lock file* exists while the lock is held; it names the holder's process (id, start time) and the *process
 * space* that id belongs to (machine, boot, process namespace). A lock is *stale* when its holder cannot live: in our own
 * space when the process is dead, is a zombie or its id belongs to a later process; of an earlier boot of this machine
 * always; of any other space, or where the file is no lock of ours, when it is older than `abandonedAfterMs`. The
 * *takeover lock* of a lock is the lock on `<lock file>.takeover`.
 *
 * Invariants:
 * L1. At most one living process of a space holds a lock, and in it at most one `FileLock`.
 * L2. The lock file appears with its whole content in one step: a hard link of a finished file. Where the file system
 *     has no hard links it may appear empty for a moment, which counts as held.
 * L3. The lock of a living process of our space is never removed by another process, however old it is.
 * L4. A stale lock is removed only by the holder of its takeover lock, which checks again before it removes it: the file
 *     must have the same content before and after its holder is found dead. A missing lock is free, never stale. So of
 *     several processes that find it stale, one acquires the lock, and none removes a lock acquired anew.
 * L5. A process killed at any instruction blocks no other: its lock and its takeover locks are stale from then on.
 * L6. Releasing removes the lock file only if it is still the one this holder wrote.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { errnoOf, isMissing } from '../base/errno.ts';
import { storedValue } from '../base/stored-json.ts';
import { changeIn } from './directory-change.ts';
import { isBeforeReboot, isLiving, ownMark, ownProcessSpace, type ProcessMark } from './living-process.ts';

export interface LockPlace {
  readonly file: string;
  /**
   * Creates the directory of the file; called whenever it is missing, also if another process removed it meanwhile.
   */
  readonly makeDirectory: () => void;
}

export class FileLock implements Disposable {
  readonly #file: string;
  readonly #text: string;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Waits until the lock is free. */
  static async acquire(place: LockPlace, signal: AbortSignal): Promise<FileLock> {
    for (;;) {
      signal.throwIfAborted();
      const lock = FileLock.tryAcquire(place);
      if (lock) return lock;
      await changeIn(dirname(place.file), signal);
    }
  }

  /** Undefined if a living process holds the lock or is taking it over. */
  static tryAcquire({ file, makeDirectory }: LockPlace): FileLock | undefined {
    const text = JSON.stringify({ ...ownMark(), place: ownProcessSpace(), token: randomUUID() });
    for (let attempt = 1; ; attempt++) {
      const outcome = create(file, text);
      if (outcome === 'created') return new FileLock(file, text);
      if (outcome === 'no directory') {
        // Each such failure means that another process removed the directory; if it always fails, the system is
        // broken.
        if (attempt > maximumAttempts) throw new Error(`the lock ${file} cannot be created`);
        makeDirectory();
      } else {
        const state = stateOf(file);
        if (state === 'held' || (state === 'stale' && !removeStale(file))) return undefined;
      }
    }
  }

  /** Whether the lock file is still the one this holder wrote; false if a user or another machine removed it. */
  get isHeld(): boolean {
    return textOf(this.#file) === this.#text;
  }

  /** Removes the files of processes that were killed while they acquired this lock. Processes that wait for it try again. */
  sweep(): void {
    const directory = dirname(this.#file);
    const name = basename(this.#file);
    for (const other of namesIn(directory)) {
      const rest = other.startsWith(name) ? other.slice(name.length) : '';
      if (/^(?:\.takeover)*-[0-9a-f-]{36}$/.test(rest)) unlinkIfThere(join(directory, other));
      if (/^(?:\.takeover)+$/.test(rest)) takeoverOf(join(directory, other))?.[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    if (this.isHeld) unlinkIfThere(this.#file);
  }
}

/** The living process that holds a lock; undefined if there is none, or it belongs to another process space. */
export function lockHolder(file: string): ProcessMark | undefined {
  const holder = parseHolder(textOf(file));
  return holder?.place === ownProcessSpace() && isLiving(holder) ? holder : undefined;
}

/** Work under a lock of another machine or container takes seconds at most. */
const abandonedAfterMs = 60_000;

const maximumAttempts = 1000;

interface Holder extends ProcessMark {
  readonly place: string;
}

function create(file: string, text: string): 'created' | 'exists' | 'no directory' {
  // To write to the directory wakes all that wait there: two waiters would wake each other without end.
  if (stateOf(file) === 'held') return 'exists';
  const beside = `${file}-${randomUUID()}`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600 });
    linkSync(beside, file);
    return 'created';
  } catch (thrown) {
    switch (errnoOf(thrown)) {
      case 'EEXIST':
        return 'exists';
      case 'ENOENT':
        return 'no directory';
      case 'EPERM':
      case 'ENOTSUP':
      case 'ENOSYS':
        return createWithoutLink(file, text);
      default:
        throw thrown;
    }
  } finally {
    unlinkIfThere(beside);
  }
}

function createWithoutLink(file: string, text: string): 'created' | 'exists' {
  try {
    const opened = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
    return 'created';
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return 'exists';
    throw thrown;
  }
}

function stateOf(file: string): 'free' | 'held' | 'stale' {
  const stats = statSync(file, { throwIfNoEntry: false });
  const text = textOf(file);
  if (stats === undefined || text === undefined) return 'free';
  if (canLive(parseHolder(text), Date.now() - stats.mtimeMs)) return 'held';
  // Between our read and our check, the holder may have released it and ended, and another process acquired it.
  return textOf(file) === text ? 'stale' : 'held';
}

function canLive(holder: Holder | undefined, ageMs: number): boolean {
  if (holder?.place === ownProcessSpace()) return isLiving(holder);
  if (holder && isBeforeReboot(holder.place)) return false;
  return ageMs < abandonedAfterMs;
}

/** Whether the stale lock is gone; false while another process is taking it over. */
function removeStale(file: string): boolean {
  using takeover = takeoverOf(`${file}.takeover`);
  if (!takeover) return false;
  // A free lock must not be removed: another process may acquire it between our check and the removal.
  if (stateOf(file) === 'stale') unlinkIfThere(file);
  return true;
}

/** The lock was just found, so its directory exists; if it was removed since, the next attempt notices. */
function takeoverOf(file: string): FileLock | undefined {
  try {
    return FileLock.tryAcquire({
      file,
      makeDirectory: () => {
        throw new DirectoryRemoved();
      },
    });
  } catch (thrown) {
    if (thrown instanceof DirectoryRemoved) return undefined;
    throw thrown;
  }
}

class DirectoryRemoved extends Error {}

const holderSchema = z.object({
  pid: z.number().int().positive(),
  started: z.string(),
  /** The scope of the pid: one boot of one machine, one container. */
  place: z.string(),
});

function parseHolder(text: string | undefined): Holder | undefined {
  return storedValue(text ?? '', holderSchema);
}

/** Undefined if the file does not exist. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
