/**
 * A control group (version 2) that limits memory and number of processes of all commands in a sandbox together.
 *
 * Invariant: it is used only if the kernel manages both controllers for the siblings of our group and lets us create
 * one; settings of other groups are never changed. The group of a killed process is removed by the next one that is
 * created.
 */

import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../base/errno.ts';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';

export interface GroupLimits {
  readonly maxMemoryBytes: number;
  readonly maxProcesses: number;
}

export interface ControlGroup extends AsyncDisposable {
  /** The argv that enters the group and executes `command`. */
  enter(command: readonly string[]): readonly string[];
}

const mountPoint = '/sys/fs/cgroup';

/** Undefined if this machine or user cannot have one; then per-process limits apply. */
export async function openControlGroup(limits: GroupLimits, log: Log): Promise<ControlGroup | undefined> {
  const parent = parentGroup(await readFile('/proc/self/cgroup', 'utf8').catch(() => ''));
  if (parent === undefined) return undefined;
  const directory = join(mountPoint, parent);
  try {
    const managed = (await readFile(join(directory, 'cgroup.subtree_control'), 'utf8')).trim().split(' ');
    if (!managed.includes('memory') || !managed.includes('pids')) return undefined;
    await removeAbandoned(directory);
    return await makeGroup(join(directory, `${prefix}${process.pid}-${nextNumber()}`), limits);
  } catch (thrown) {
    log.debug('sandbox.control_group_refused', {
      code: 'sandbox/no-control-group',
      cause: messageOf(thrown),
    });
    return undefined;
  }
}

/**
 * The parent of our group: processes may only be in groups without managed children, so ours cannot contain another.
 */
export function parentGroup(selfGroups: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(selfGroups)?.[1];
  if (own === undefined || own.startsWith('/..')) return undefined;
  return own === '/' ? '/' : dirname(own);
}

/** The pid of the process that created a group, by the group's name; undefined if the group is not ours. */
export function makerOf(name: string): number | undefined {
  const pid = name.startsWith(prefix) ? /^(\d+)-\d+$/.exec(name.slice(prefix.length))?.[1] : undefined;
  return pid === undefined ? undefined : Number(pid);
}

const prefix = 'forerun-sandbox-';

let made = 0;

function nextNumber(): number {
  made += 1;
  return made;
}

async function makeGroup(
  group: string,
  { maxMemoryBytes, maxProcesses }: GroupLimits,
): Promise<ControlGroup> {
  await mkdir(group);
  try {
    await writeFile(join(group, 'memory.max'), String(maxMemoryBytes));
    await writeFile(join(group, 'pids.max'), String(maxProcesses));
  } catch (thrown) {
    await rmdir(group);
    throw thrown;
  }
  const script = 'echo 0 > "$0/cgroup.procs" || exit 125; exec "$@"';
  return {
    enter: (command) => ['/bin/sh', '-c', script, group, ...command],
    // The kernel keeps a group until its last process is reaped, shortly after its end.
    [Symbol.asyncDispose]: () => rmdir(group).catch(() => {}),
  };
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const maker = makerOf(name);
    if (maker !== undefined && !isRunning(maker)) await rmdir(join(directory, name)).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM';
  }
}
