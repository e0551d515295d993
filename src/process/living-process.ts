/**
 * Telling a process that lives from one that is gone, and from another that was given its number.
 *
 * Invariant: a process is taken for dead only when it is; where the system does not tell when a process started, a
 * number in use counts as the process it was written down for.
 */
import { readFileSync } from 'node:fs';

export interface ProcessMark {
  readonly pid: number;
  /** When it started, in the terms of this machine; empty where the system does not tell. */
  readonly started: string;
}

export function ownMark(): ProcessMark {
  return { pid: process.pid, started: startOf(process.pid) };
}

export function isLiving({ pid, started }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // What belongs to somebody else may not be signalled, but it is there.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  return started === '' || started === startOf(pid);
}

function startOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name stands in parentheses and may itself hold spaces and parentheses.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    // One that has ended and waits for its parent to take notice is as good as gone.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
