/**
 * Whose checkouts are in a directory: its name has the machine and the process of a worker.
 *
 * Invariant: a directory of a living process of this machine is recognised as such. Of another machine nothing is known.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errnoOf } from '../base/errno.ts';
import { workspaceKey } from '../storage/workspace-key.ts';

export const checkoutsNamePattern: RegExp = /^[0-9a-f]{16}-\d+-[0-9a-f]{8}$/;

/** A new name for the checkouts of this process. */
export function ownCheckoutsName(): string {
  return `${machineKey()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Undefined if the owner ran on another machine. */
export function isOwnerRunning(name: string): boolean | undefined {
  const [machine, pid] = name.split('-');
  return machine === machineKey() ? isRunning(Number(pid)) : undefined;
}

/** Process ids are those of one machine. */
function machineKey(): string {
  return workspaceKey(hostname());
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM';
  }
}
