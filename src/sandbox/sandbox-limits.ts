/** How much commands in a sandbox may use, and how much of what they change is taken over. */
import { totalmem } from 'node:os';
import type { HarvestLimits } from './harvest.ts';

export interface SandboxLimits {
  /** Bytes the commands of an isolated sandbox may write in all; they are held in memory. */
  readonly maxDiskBytes: number;
  /** Processes and threads that may run at a time in an isolated sandbox. */
  readonly maxProcesses: number;
  /**
   * Bytes of memory for the commands of an isolated sandbox: together where a control group can be made, else for the
   * data of each process. The address space is not limited: runtimes reserve far more of it than they use.
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
