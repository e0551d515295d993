/**
 * Waiting for a server no longer than the caller says.
 *
 * Invariant: giving up takes nothing away from the next caller: the start of the server goes on.
 */
import { Deadline } from '../base/deadline.ts';
import { ServerStarting } from './evaluation-failure.ts';

/** Settles like `lease`, which gives up when the signal it is handed aborts; absent time: it waits as long as it takes. */
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
