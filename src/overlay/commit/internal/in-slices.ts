import { setImmediate } from 'node:timers/promises';

/** Other work of the process waits no longer than about this. */
const sliceMs = 8;

/**
 * Does quick synchronous work on each item in turn, letting the event loop run every few milliseconds: most
 * of the speed of plain synchronous calls, without holding up whoever else lives in the process.
 */
export async function inSlices<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  for (const item of items) {
    work(item);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + sliceMs;
  }
}
