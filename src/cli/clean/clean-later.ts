/** Begins the daily cleaning of a process that serves, some time after it has started. */
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';

/** By then the first questions are answered, and short-lived processes have ended. */
const delayMs = 60_000;

export function cleanLater(log: Log, signal: AbortSignal): void {
  const timer = setTimeout(() => {
    const cleaned = import('./clean-limits.ts').then(({ cleanDaily }) =>
      cleanDaily({ env: process.env, log, now: Date.now() }, signal),
    );
    // `cleanDaily` reports its own failures; what is left is a program that was replaced while it runs.
    cleaned.catch(() => log.debug('storage.prune-failed', { code: 'cli/prune-failed' }));
  }, delayMs);
  timer.unref();
  onAbort(signal, () => clearTimeout(timer));
}
