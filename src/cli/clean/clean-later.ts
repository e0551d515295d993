/** Schedules the daily cleaning of a serving process, from some time after its start. */
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';

/** By then, the first requests are answered and short-lived processes have ended. */
const delayMs = 60_000;

const dayMs = 24 * 3_600_000;

export function cleanLater(log: Log, signal: AbortSignal): void {
  const clean = (): void => {
    const cleaned = import('./clean-limits.ts').then(({ cleanDaily }) =>
      cleanDaily({ env: process.env, log, now: Date.now() }, signal),
    );
    // `cleanDaily` reports its own failures; the import itself fails if the program was replaced while running.
    cleaned.catch(() => log.debug('storage.prune-failed', { code: 'cli/prune-failed' }));
  };
  let timer = setTimeout(() => {
    clean();
    // A worker runs for months.
    timer = setInterval(clean, dayMs).unref();
  }, delayMs).unref();
  onAbort(signal, () => clearTimeout(timer));
}
