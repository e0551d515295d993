/**
 * How much memory the servers of one process may use together.
 *
 * Invariant: unless the user sets a budget, it is a fixed share of the memory of the machine or of the container we
 * run in.
 */
import { totalmem } from 'node:os';

/** The rest is for the agent, the editor, builds and caches. */
const share = 0.6;

const megabyte = 1024 * 1024;

interface Memory {
  readonly totalBytes: number;
  /** The limit of the container; zero, absent or larger than the machine if there is none. */
  readonly constrainedBytes: number | undefined;
}

/** The budget of the user's settings, else a share of the memory of this machine. */
export function memoryBudgetBytes(megabytes: number | undefined, memory: Memory = memoryHere()): number {
  if (megabytes !== undefined) return megabytes * megabyte;
  const { totalBytes, constrainedBytes } = memory;
  return Math.floor(share * Math.min(totalBytes, constrainedBytes || totalBytes));
}

function memoryHere(): Memory {
  return { totalBytes: totalmem(), constrainedBytes: process.constrainedMemory() };
}
