/**
 * Waits for a server, with the caller's time limit.
 *
 * Invariant: giving up does not cancel the start of the server, so the next caller benefits from it.
 */
import { Deadline } from '../base/deadline.ts';
import { ServerStarting } from './evaluation-failure.ts';

/** Settles like `lease`, whose signal aborts at the limit; without a limit it waits for the server. */
export async function leaseInTime<T>(
  { name, startTimeoutMs }: { readonly name: string; readonly startTimeoutMs: number | undefined },
  lease: (whileLeasing: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (startTimeoutMs === undefined) return lease(signal);
  using deadline = new Deadline(startTimeoutMs, signal);
  try {
    return await lease(deadline.signal);
  } catch (thrown) {
    if (!deadline.expired || thrown !== deadline.signal.reason) throw thrown;
    throw new ServerStarting(name, startTimeoutMs);
  }
}
