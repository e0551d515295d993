import { setMaxListeners } from 'node:events';
import type { Channel } from '../../base/channel.ts';

/**
 * Resolves with the first value `accept` returns, or rejects with the reason of the first signal that aborts.
 * `accept` is asked once at the start, then whenever the channel speaks.
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
      for (const signal of signals) signal.removeEventListener('abort', abort);
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
    // Any number may wait on the same signals, which is no leak: each takes its listener away again.
    setMaxListeners(0, ...signals);
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  });
}
