/**
 * How much memory the servers of one process may take together.
 *
 * Invariant: never more than a share of what the machine, or the container around us, has.
 */
import { totalmem } from 'node:os';
import type { Log } from '../../base/log.ts';

/** Servers leave room for whoever uses them: the rest is for the agent, the editor, builds and caches. */
const share = 0.6;

const megabyte = 1024 * 1024;

interface Memory {
  readonly totalBytes: number;
  /** What the container allows; zero, absent or beyond all measure where there is none. */
  readonly constrainedBytes: number | undefined;
}

/** The budget the environment asks for with FORERUN_MEMORY_MB, else a share of the memory there is. */
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
