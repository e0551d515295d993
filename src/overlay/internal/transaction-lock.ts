import { randomUUID } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { changeIn } from '../../workspace/directory-change.ts';
import { errnoOf, isMissing } from '../../workspace/errno.ts';
import { Shape } from './json-shape.ts';
import { CorruptTransaction } from './transaction-failure.ts';
import { unlinkIfThere } from './transaction-files.ts';

/**
 * One process at a time may change the files of a workspace.
 *
 * Invariant: at most one live holder. A holder that died is recognised by its process id and start time and
 * its lock is taken over; of several that try, the one that holds the lock on taking over does it.
 */
export class TransactionLock implements AsyncDisposable {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Waits for its turn. `directory` is made when it is missing; the lock file in it is `lock`. */
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
      makeLast(directory);
      if (await createWhole(file, owner)) return new TransactionLock(file);
      if (isHeld(file)) return undefined;
      await takeOver(directory, name);
      // Whoever else is at it needs a moment; nothing else of this process is held up meanwhile.
      await setImmediate();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await unlinkIfThere(this.#file);
  }
}

interface Owner {
  readonly pid: number;
  /** Machine, boot and process namespace: only within one of these does a process id mean anything. */
  readonly place: string;
  /** When the process started, where the system tells; a reused process id differs in it. */
  readonly started: string;
}

/** A commit takes seconds at most; what another machine left behind longer than this is abandoned. */
const abandonedAfterMs = 60_000;

/** Only the last directory is made: a workspace that was deleted must not come back. */
function makeLast(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}

function describeOwner(): Owner {
  const boot = told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = told(() => readlinkSync('/proc/self/ns/pid'));
  const place = [hostname(), boot.trim(), namespace].join(' ');
  return { pid: process.pid, place, started: startOf(process.pid) };
}

/** What the system tells, which not every system does. */
function told(ask: () => string): string {
  try {
    return ask();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return '';
  }
}

function startOf(pid: number): string {
  const line = told(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command name stands in parentheses and may itself hold spaces and parentheses.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Makes `file` with its whole content in one step; false when it is there already. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const beside = `${file}-${randomUUID()}`;
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    linkSync(beside, file);
    return true;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === 'EEXIST') return false;
    // The directory goes away when its last user leaves; the caller makes it again.
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
    const opened = openSync(file, 'wx');
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
  return isRunning(owner.pid) && (owner.started === '' || owner.started === startOf(owner.pid));
}

function isSameMachineRebooted(place: string, here: string): boolean {
  const [host, boot] = place.split(' ');
  const [ourHost, ourBoot] = here.split(' ');
  return host === ourHost && boot !== ourBoot;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM';
  }
}

/**
 * Removes the lock of a dead owner. Only who holds the lock on taking over may remove the lock of another,
 * so nobody can remove one that was taken anew in between.
 */
async function takeOver(directory: string, name: string): Promise<void> {
  await using guard = await TransactionLock.tryAcquire(directory, `${name}.takeover`);
  const file = join(directory, name);
  if (guard !== undefined && !isHeld(file)) await unlinkIfThere(file);
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = new Shape(JSON.parse(text), 'lock', CorruptTransaction);
    return {
      pid: owner.get('pid').count(),
      place: owner.get('place').string(),
      started: owner.get('started').string(),
    };
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof CorruptTransaction) return undefined;
    throw thrown;
  }
}
