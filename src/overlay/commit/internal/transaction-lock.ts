import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errnoOf, isMissing } from '../../../base/errno.ts';
import { isLiving, ownMark, type ProcessMark } from '../../../process/living-process.ts';
import { makePrivateDirectory } from '../../../storage/user-directories.ts';
import { changeIn } from '../../../workspace/directory-change.ts';
import { Shape } from '../../internal/json-shape.ts';
import { CorruptJournal } from './transaction-failure.ts';
import { unlinkIfThere } from './transaction-files.ts';

/**
 * The commit lock of a workspace, among the processes of one user.
 *
 * Invariant: at most one live holder. The lock of a process that has ended is taken over; of several processes that
 * try, only the holder of the takeover lock removes the old one.
 */
export class TransactionLock implements AsyncDisposable {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Waits until the lock is free. The lock file is `lock` in `directory`, which is created when it is missing. */
  static async acquire(directory: string, signal: AbortSignal): Promise<TransactionLock> {
    for (;;) {
      signal.throwIfAborted();
      const lock = await TransactionLock.tryAcquire(directory);
      if (lock !== undefined) return lock;
      await changeIn(directory, signal);
    }
  }

  /** Undefined when a living process holds the lock. */
  static async tryAcquire(directory: string, name = 'lock'): Promise<TransactionLock | undefined> {
    const file = join(directory, name);
    const owner = JSON.stringify(describeOwner());
    for (;;) {
      ensureDirectory(directory);
      if (await createWhole(file, owner)) return new TransactionLock(file);
      if (isHeld(file)) return undefined;
      await takeOver(directory, name);
      // Another process may be taking over; do not block the event loop meanwhile.
      await setImmediate();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await unlinkIfThere(this.#file);
  }
}

interface Owner extends ProcessMark {
  /** Machine, boot and process namespace: only within one of these does a process id mean anything. */
  readonly place: string;
}

/** A commit takes seconds at most; what another machine left behind longer than this is abandoned. */
const abandonedAfterMs = 60_000;

/** A holder that leaves removes the directory, also between these calls; the next turn creates it again. */
function ensureDirectory(directory: string): void {
  try {
    makePrivateDirectory(directory);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
}

function describeOwner(): Owner {
  const namespace = readOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return { ...ownMark(), place: [hostname(), bootId(), namespace].join(' ') };
}

/** Differs with every start of the machine; empty where the system does not say. */
export function bootId(): string {
  return readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return '';
  }
}

/** Makes `file` with its whole content in one step; false when it is there already. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const beside = `${file}-${randomUUID()}`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600 });
    linkSync(beside, file);
    return true;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === 'EEXIST') return false;
    // The directory was removed meanwhile; the caller creates it again.
    if (code === 'ENOENT') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw thrown;
    return createExclusively(file, text);
  } finally {
    await unlinkIfThere(beside);
  }
}

/** For file systems without hard links. A reader may see the file before its text; it counts as held then. */
function createExclusively(file: string, text: string): boolean {
  try {
    const opened = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** Whether the lock file is there and its owner lives, or may live as far as can be told. */
function isHeld(file: string): boolean {
  let ageMs: number;
  let text: string;
  try {
    ageMs = Date.now() - statSync(file).mtimeMs;
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
  const owner = parseOwner(text);
  const here = describeOwner();
  if (owner === undefined || owner.place !== here.place) {
    const rebooted = owner !== undefined && isSameMachineRebooted(owner.place, here.place);
    return !rebooted && ageMs < abandonedAfterMs;
  }
  return isLiving(owner);
}

function isSameMachineRebooted(place: string, here: string): boolean {
  const [host, boot] = place.split(' ');
  const [ourHost, ourBoot] = here.split(' ');
  return host === ourHost && boot !== ourBoot;
}

/** Removes the lock of an ended process. Only the holder of the takeover lock may, so a lock acquired anew meanwhile is safe. */
async function takeOver(directory: string, name: string): Promise<void> {
  await using guard = await TransactionLock.tryAcquire(directory, `${name}.takeover`);
  const file = join(directory, name);
  if (guard !== undefined && !isHeld(file)) await unlinkIfThere(file);
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = new Shape(JSON.parse(text), 'lock', CorruptJournal);
    return {
      pid: owner.get('pid').count(),
      place: owner.get('place').string(),
      started: owner.get('started').string(),
    };
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof CorruptJournal) return undefined;
    throw thrown;
  }
}
