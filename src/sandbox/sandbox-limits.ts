/** Resource limits of commands in a sandbox, and limits on collecting their changes. */
import { totalmem } from 'node:os';
import type { HarvestLimits } from './harvest.ts';

export interface SandboxLimits {
  /** Total bytes that commands of an isolated sandbox may write; they are held in memory. */
  readonly maxDiskBytes: number;
  /** Concurrent processes and threads in an isolated sandbox. */
  readonly maxProcesses: number;
  /**
   * Bytes of memory for the commands of an isolated sandbox: in total if a control group can be created, otherwise
   * for the data of each process. The address space is not limited, because runtimes reserve far more than they use.
   */
  readonly maxMemoryBytes: number;
  readonly harvest: HarvestLimits;
}

const mebibyte = 1024 * 1024;

export const defaultMaxOutputBytes: number = mebibyte;

export function withDefaults(limits: Partial<SandboxLimits>): SandboxLimits {
  const quarter = Math.floor(totalmem() / 4);
  return {
    maxDiskBytes: Math.max(256 * mebibyte, Math.min(4096 * mebibyte, quarter)),
    maxProcesses: 2048,
    maxMemoryBytes: Math.max(1024 * mebibyte, 3 * quarter),
    harvest: { maxFiles: 20_000, maxBytes: 256 * mebibyte },
    ...limits,
  };
}
