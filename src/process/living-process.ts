/**
 * The identity of a process: whether it lives, and whether its id was reused.
 *
 * Invariant: a process is reported dead only if it is. A zombie has ended and is dead. If the system does not report
 * start times, an id in use counts as the recorded process.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../base/errno.ts';

export interface ProcessMark {
  readonly pid: number;
  /** The start time in clock ticks since boot; empty if the system does not report it. */
  readonly started: string;
}

export function ownMark(): ProcessMark {
  return { pid: process.pid, started: startOf(process.pid) };
}

export function isLiving({ pid, started }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // EPERM: the process exists and belongs to another user.
    if (errnoOf(thrown) !== 'EPERM') return false;
  }
  const current = startOf(pid);
  if (current === ended) return false;
  return started === '' || current === '' || started === current;
}

/** Machine, boot and process namespace: a process id is unique only within one of these. */
export function ownProcessSpace(): string {
  const namespace = readOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), bootId(), namespace].join(' ');
}

/** Whether a process space is an earlier boot of this machine, so that none of its processes can live. */
export function isBeforeReboot(space: string): boolean {
  const [host, boot] = space.split(' ');
  return host === hostname() && boot !== bootId();
}

/** Differs with every boot; empty if the system does not report it. */
export function bootId(): string {
  return readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** In place of a start time: the process has ended and waits for its parent to reap it. */
const ended = 'ended';

function startOf(pid: number): string {
  const line = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (line === '') return '';
  // The command name is in parentheses and may itself contain spaces and parentheses.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? ended : (fields[19] ?? '');
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return '';
  }
}
