/**
 * How much memory a process and its descendants hold.
 *
 * Invariant: a process that ends while it is being measured counts as nothing, never as a failure.
 */
import { readdir, readFile } from 'node:fs/promises';

/** Resident bytes of the tree under `pid` and of its process group; undefined where the system does not tell. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const relatives = (await Promise.all((await processIds()).map(readRelatives))).filter(
    (entry) => entry !== undefined,
  );
  const members = treeOf(pid, relatives);
  const sizes = await Promise.all([...members].map(residentOf));
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}

interface Relatives {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

async function processIds(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function readRelatives(pid: number): Promise<Relatives | undefined> {
  const stat = await readProc(`/proc/${pid}/stat`);
  // The command name may hold spaces and parentheses; the fields start after its last parenthesis.
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

async function residentOf(pid: number): Promise<number | undefined> {
  const kibibytes = (await readProc(`/proc/${pid}/status`))?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

async function readProc(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
