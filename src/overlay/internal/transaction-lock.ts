import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
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
    const owner = JSON.stringify(await describeOwner());
    for (;;) {
      await makeLast(directory);
      if (await createWhole(file, owner)) return new TransactionLock(file);
      if (await isHeld(file)) return undefined;
      await takeOver(directory, name);
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
async function makeLast(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}

async function describeOwner(): Promise<Owner> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const place = [hostname(), boot.trim(), namespace].join(' ');
  return { pid: process.pid, place, started: await startOf(process.pid) };
}

async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command name stands in parentheses and may itself hold spaces and parentheses.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Makes `file` with its whole content in one step; false when it is there already. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const beside = `${file}-${randomUUID()}`;
  try {
    await writeFile(beside, text, { flag: 'wx' });
    await link(beside, file);
    return true;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === 'EEXIST') return false;
    // The directory goes away when its last user leaves; the caller makes it again.
    if (code === 'ENOENT') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw thrown;
    return await createExclusively(file, text);
  } finally {
    await unlinkIfThere(beside);
  }
}

/** For file systems without hard links. A reader may see the file before its text; it counts as held then. */
async function createExclusively(file: string, text: string): Promise<boolean> {
  try {
    await using handle = await open(file, 'wx');
    await handle.writeFile(text);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** Whether the lock file is there and its owner lives, or may live as far as can be told. */
async function isHeld(file: string): Promise<boolean> {
  let ageMs: number;
  let text: string;
  try {
    ageMs = Date.now() - (await stat(file)).mtimeMs;
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
  const owner = parseOwner(text);
  const here = await describeOwner();
  if (owner === undefined || owner.place !== here.place) {
    const rebooted = owner !== undefined && isSameMachineRebooted(owner.place, here.place);
    return !rebooted && ageMs < abandonedAfterMs;
  }
  return isRunning(owner.pid) && (owner.started === '' || owner.started === (await startOf(owner.pid)));
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
  if (guard !== undefined && !(await isHeld(file))) await unlinkIfThere(file);
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
