/** The memory of one process with its descendants. */
import { residentBytesOf } from '../../src/process/process-memory.ts';

/** Undefined where the process is gone. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  return (await residentBytesOf([pid])).get(pid);
}
