/**
 * How much memory the servers of one process may use together.
 *
 * Invariant: unless the user sets a budget, it is a fixed share of the memory of the machine or of the container we
 * run in.
 */
import { totalmem } from 'node:os';
import type { Log } from '../../base/log.ts';

/** The rest is for the agent, the editor, builds and caches. */
const share = 0.6;

const megabyte = 1024 * 1024;

interface Memory {
  readonly totalBytes: number;
  /** The limit of the container; zero, absent or larger than the machine if there is none. */
  readonly constrainedBytes: number | undefined;
}

/** The budget set by FORERUN_MEMORY_MB, else a share of the memory of this machine. */
export function memoryBudgetBytes(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
  memory: Memory = memoryHere(),
): number {
  const asked = env.FORERUN_MEMORY_MB;
  if (asked) {
    const megabytes = Number(asked);
    if (Number.isFinite(megabytes) && megabytes > 0) return megabytes * megabyte;
    log.warning('servers.unreadable-memory-budget', {
      code: 'servers/unreadable-memory-budget',
      FORERUN_MEMORY_MB: asked,
      used: 'the default',
    });
  }
  const { totalBytes, constrainedBytes } = memory;
  return Math.floor(share * Math.min(totalBytes, constrainedBytes || totalBytes));
}

function memoryHere(): Memory {
  return { totalBytes: totalmem(), constrainedBytes: process.constrainedMemory() };
}
