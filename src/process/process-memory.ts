/**
 * The memory of a process and its descendants.
 *
 * Invariant: a process that ends while it is measured counts as zero, not as a failure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** Resident bytes of the tree under `pid` and of its process group; undefined if the system does not report it. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  return (await residentBytesOf([pid])).get(pid);
}

/** Like `residentBytes`, for several at once: the process table is scanned once for all of them. */
export async function residentBytesOf(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const measured = new Map<number, number>();
  if (process.platform !== 'linux' || pids.length === 0) return measured;
  const relatives = await everyRelative();
  for (const pid of pids) {
    const sizes = [...treeOf(pid, relatives)].map(residentOf).filter((size) => size !== undefined);
    if (sizes.length === 0) continue;
    measured.set(
      pid,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  return measured;
}

/** /proc is read synchronously in microseconds; a trip through the thread pool costs many times that. */
const readsAtOnce = 128;

async function everyRelative(): Promise<readonly Relatives[]> {
  const relatives: Relatives[] = [];
  for (const [place, name] of readdirSync('/proc').entries()) {
    if (place % readsAtOnce === readsAtOnce - 1) await setImmediate();
    if (!/^\d+$/.test(name)) continue;
    const entry = readRelatives(Number(name));
    if (entry) relatives.push(entry);
  }
  return relatives;
}

interface Relatives {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

function readRelatives(pid: number): Relatives | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  // The command name may contain spaces and parentheses; the fields start after its last parenthesis.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { pid, parent: Number(fields[1]), group: Number(fields[2]) };
}

function treeOf(root: number, relatives: readonly Relatives[]): ReadonlySet<number> {
  const members = new Set([root]);
  let size = 0;
  while (size !== members.size) {
    size = members.size;
    for (const { pid, parent, group } of relatives) {
      if (group === root || members.has(parent)) members.add(pid);
    }
  }
  return members;
}

function residentOf(pid: number): number | undefined {
  const kibibytes = readProc(`/proc/${pid}/status`)?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
