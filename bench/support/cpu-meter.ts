/**
 * How many cores were busy while something was measured, and with what.
 *
 * Invariant: only the time between `start` and `stop` counts.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

interface CpuTimes {
  readonly atMs: number;
  readonly machineMs: number;
  readonly ownMs: number;
  readonly serversMs: number;
}

export interface BusyCores {
  /** This process. */
  readonly own: number;
  readonly servers: number;
  /** Everybody else on the machine. */
  readonly others: number;
}

export class CpuMeter {
  #pids: readonly number[] = [];
  #since: CpuTimes | undefined;
  #sum = { elapsedMs: 0, machineMs: 0, ownMs: 0, serversMs: 0 };

  start(serverPids: readonly number[]): void {
    this.#pids = serverPids;
    this.#since = timesOf(serverPids);
  }

  stop(): void {
    if (this.#since === undefined) throw new Error('the meter was not started');
    const now = timesOf(this.#pids);
    this.#sum = {
      elapsedMs: this.#sum.elapsedMs + now.atMs - this.#since.atMs,
      machineMs: this.#sum.machineMs + now.machineMs - this.#since.machineMs,
      ownMs: this.#sum.ownMs + now.ownMs - this.#since.ownMs,
      serversMs: this.#sum.serversMs + now.serversMs - this.#since.serversMs,
    };
    this.#since = undefined;
  }

  /** Processor time of this process and the servers together. */
  get spentMs(): number {
    return this.#sum.ownMs + this.#sum.serversMs;
  }

  cores(): BusyCores {
    const { elapsedMs, machineMs, ownMs, serversMs } = this.#sum;
    return {
      own: ownMs / elapsedMs,
      servers: serversMs / elapsedMs,
      others: Math.max(0, machineMs - ownMs - serversMs) / elapsedMs,
    };
  }
}

function timesOf(serverPids: readonly number[]): CpuTimes {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    machineMs: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
    ownMs: (user + system) / 1000,
    serversMs: serverPids.reduce((sum, pid) => sum + processMs(pid), 0),
  };
}

/** Linux counts in hundredths of a second. Elsewhere nothing is known, and the server counts among the others. */
function processMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
