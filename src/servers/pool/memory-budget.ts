/**
 * How much memory the servers of one process may take together.
 *
 * Invariant: never more than a share of what the machine, or the container around us, has.
 */
import { totalmem } from 'node:os';

/** Servers leave room for whoever uses them: the rest is for the agent, the editor, builds and caches. */
const share = 0.6;

const megabyte = 1024 * 1024;

interface Memory {
  readonly totalBytes: number;
  /** What the container allows; zero, absent or beyond all measure where there is none. */
  readonly constrainedBytes: number | undefined;
}

/** The budget that the user's settings name, else a share of the memory there is. */
export function memoryBudgetBytes(megabytes: number | undefined, memory: Memory = memoryHere()): number {
  if (megabytes !== undefined) return megabytes * megabyte;
  const { totalBytes, constrainedBytes } = memory;
  return Math.floor(share * Math.min(totalBytes, constrainedBytes || totalBytes));
}

function memoryHere(): Memory {
  return { totalBytes: totalmem(), constrainedBytes: process.constrainedMemory() };
}
