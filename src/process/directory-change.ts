/** Waits for a change in a directory that several processes use. */
import { type FSWatcher, watch } from 'node:fs';
import { onAbort } from '../base/deadline.ts';
import { errnoOf } from '../base/errno.ts';

/** The system reports no event when a process that is not our child ends, so a waiter checks again this often. */
const lookAgainMs = 200;

/** Resolves when an entry of the directory changes, and after `lookAgainMs` at the latest. */
export function changeIn(directory: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let watcher: FSWatcher | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      watcher?.close();
      stopListening();
      settle();
    };
    const done = (): void => end(resolve);
    const timer = setTimeout(done, lookAgainMs);
    const stopListening = onAbort(signal, () => end(() => reject(signal.reason)));
    try {
      watcher = watch(directory, done).on('error', done);
    } catch (thrown) {
      // The system is out of watches, or the directory is missing: only the timer ends the wait.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  });
}
