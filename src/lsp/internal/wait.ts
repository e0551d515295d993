import type { Channel } from '../../base/channel.ts';
import { onAbort } from '../../base/deadline.ts';

/**
 * Resolves with the first value `accept` returns, or rejects with the reason of the first signal that aborts.
 * `accept` is called once at the start, then with every event of the channel.
 */
export function waitFor<T, R>(
  channel: Channel<T>,
  accept: (value: T | undefined) => R | undefined,
  signals: readonly AbortSignal[],
): Promise<R> {
  return new Promise((resolve, reject) => {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) return reject(aborted.reason);
    const present = accept(undefined);
    if (present !== undefined) return resolve(present);
    const leave = (): void => {
      subscription[Symbol.dispose]();
      for (const stopListening of listening) stopListening();
    };
    const abort = (): void => {
      leave();
      reject(signals.find((signal) => signal.aborted)?.reason);
    };
    const subscription = channel.subscribe((value) => {
      const found = accept(value);
      if (found === undefined) return;
      leave();
      resolve(found);
    });
    const listening = signals.map((signal) => onAbort(signal, abort));
  });
}
